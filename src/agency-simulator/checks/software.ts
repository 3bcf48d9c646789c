import type { Submitted } from '../submitted.ts';
import { childOf, textAt } from '../xml.ts';
import { effectiveDay, type Finding, finding, isNotYesNo, isOutOfLength } from './finding.ts';
import { type Block, checkPerson } from './identification.ts';

/** The census is not asked for the producer. */
const PRODUCER: Block = { name: 1179, nif: 1176, census: null, idType: 1221, spanish: [['03'], 1232] };

/** The computer system that made the record (validations 3.1.5). */
export function* checkSoftware(record: Submitted): Generator<Finding> {
  const software = childOf(record.element, 'SistemaInformatico');
  if (textAt(software, 'NIF') === '') yield finding(1223);
  if (textAt(software, 'IDOtro', 'IDType') === '07') yield finding(1221);
  yield* checkPerson(software, PRODUCER, effectiveDay(record));
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
