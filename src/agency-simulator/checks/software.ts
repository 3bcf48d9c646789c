import type { Submitted } from '../submitted.ts';
import { isNif } from '../tax-ids.ts';
import { childOf, textAt } from '../xml.ts';
import { type Finding, finding, isNotYesNo, isOutOfLength } from './finding.ts';

/** The computer system that made the record (validations 3.1.5). */
export function* checkSoftware({ element }: Submitted): Generator<Finding> {
  const software = childOf(element, 'SistemaInformatico');
  const nif = textAt(software, 'NIF');
  if (isOutOfLength(textAt(software, 'NombreRazon'), 120)) yield finding(1179);
  if (nif !== null && !isNif(nif)) yield finding(1176);
  if (textAt(software, 'IDOtro', 'IDType') === '07') yield finding(1221);
  if (isOutOfLength(textAt(software, 'NombreSistemaInformatico'), 30)) yield finding(1220);
  if (!/^[A-Z0-9]{2}$/.test(textAt(software, 'IdSistemaInformatico') ?? '')) yield finding(1177);
  if (isOutOfLength(textAt(software, 'Version'), 50)) yield finding(1179);
  if (isOutOfLength(textAt(software, 'NumeroInstalacion'), 100)) yield finding(1179);
  const flags = [
    ['TipoUsoPosibleSoloVerifactu', 1212],
    ['TipoUsoPosibleMultiOT', 1213],
    ['IndicadorMultiplesOT', 1226],
  ] as const;
  for (const [name, code] of flags) {
    const value = textAt(software, name);
    if (value === null || isNotYesNo(value)) yield finding(code);
  }
}
