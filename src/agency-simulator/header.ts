import { isOutOfLength } from './checks/finding.ts';
import { actsFor, type Presenter } from './presenter.ts';
import { isInCensus } from './registers.ts';
import { codedFault, type SoapFault } from './soap.ts';
import { isNif, isPersonNif } from './tax-ids.ts';
import { type Day, dayOfAgencyDate } from './time.ts';
import { childOf, textAt, type XmlElement } from './xml.ts';

/** The fault of an envelope's header, or null (validations 3.1.1). Its errors refuse the whole envelope. */
export function headerFault(
  header: XmlElement | undefined,
  presenter: Presenter,
  today: Day,
): SoapFault | null {
  const issuer = childOf(header, 'ObligadoEmision');
  const nif = textAt(issuer, 'NIF') ?? '';
  const name = textAt(issuer, 'NombreRazon') ?? '';
  if (name === '' && isPersonNif(nif)) return codedFault(1282);
  if (isOutOfLength(name, 120)) return codedFault(1215);
  if (!isNif(nif)) return codedFault(4116, nif);
  if (!isInCensus(nif, name)) return codedFault(4104, `NIF:${nif}. NOMBRE_RAZON:${name}`);
  if (!actsFor(presenter, nif)) return codedFault(4112);
  return representativeFault(childOf(header, 'Representante')) ?? remissionFault(header, today);
}

function representativeFault(representative: XmlElement | undefined): SoapFault | null {
  if (representative === undefined) return null;
  const nif = textAt(representative, 'NIF') ?? '';
  if (!isNif(nif)) return codedFault(4117, nif);
  return isInCensus(nif, textAt(representative, 'NombreRazon') ?? '') ? null : codedFault(4105, nif);
}

function remissionFault(header: XmlElement | undefined, today: Day): SoapFault | null {
  const voluntary = childOf(header, 'RemisionVoluntaria');
  const incident = textAt(voluntary, 'Incidencia');
  if (incident !== null && incident !== 'S' && incident !== 'N') return codedFault(4121);
  const lastDay = textAt(voluntary, 'FechaFinVeriFactu');
  if (lastDay !== null) {
    const day = dayOfAgencyDate(lastDay);
    if (day === null) return codedFault(4106);
    const year = Number(today.slice(0, 4));
    if (day !== `${year}-12-31` && day !== `${year - 1}-12-31`) return codedFault(4120);
  }
  return childOf(header, 'RemisionRequerimiento') === undefined ? null : codedFault(4126);
}
