import { dayOfAgencyDate } from '../time.ts';
import { textAt, type XmlElement } from '../xml.ts';
import type { Detail, DetailSurroundings } from './detail.ts';
import { type Finding, finding } from './finding.ts';

const keys = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** ClaveRegimen by tax: lists L8A and L8B of the order with the additions of the validations 15.6 and 15.6.11. */
const KEYS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['01', keys('01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20')],
  ['02', keys('01 08 11 18 19 20')],
  ['03', keys('01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21')],
]);

/** From this day on an IPSI detail without its key is refused instead of flagged (validations 15.6). */
const IPSI_KEY_REQUIRED = '2027-01-01';

/** The regime key and what it allows (validations 15.6). */
export function* checkRegime(detail: Detail, context: DetailSurroundings): Generator<Finding> {
  const { tax, regime } = detail;
  if (tax === '05') {
    if (regime !== null) yield finding(1260);
    return;
  }
  if (tax === '02') {
    const right = regime !== null && KEYS.get('02')!.has(regime);
    if (!right) yield finding(context.today < IPSI_KEY_REQUIRED ? 2009 : regime === null ? 1245 : 1246);
    return;
  }
  if (regime === null) yield finding(1245);
  else if (!KEYS.get(tax)?.has(regime)) yield finding(1246);
  else yield* checkKey(regime, detail, context);
}

/** The rules of single keys under IVA and IGIC. */
function* checkKey(regime: string, detail: Detail, context: DetailSurroundings): Generator<Finding> {
  const { tax, operation, exemption, rate } = detail;
  const { record, recipients } = context;
  const type = record.invoiceType ?? '';
  switch (regime) {
    case '01':
      if (exemption === 'E2' || exemption === 'E3') yield finding(1199);
      break;
    case '02':
      if (exemption === null) yield finding(1286);
      break;
    case '03':
      if (operation !== null && operation !== 'S1') yield finding(1200);
      break;
    case '04':
      if (exemption === null && operation !== 'S2') yield finding(1201);
      break;
    case '06':
      if (['F2', 'F3', 'R5'].includes(type) || detail.costBase === null) yield finding(1202);
      break;
    case '07':
      if (operation !== null && operation !== 'S1') yield finding(1203);
      if (exemption !== null && ['E2', 'E3', 'E4', 'E5'].includes(exemption)) yield finding(1203);
      break;
    case '08':
      if (operation !== 'N2') yield finding(1252);
      break;
    case '10':
      if (operation !== 'N1' || type !== 'F1' || !recipients.every(hasNif)) yield finding(1205);
      break;
    case '11':
      // By the words of 1206 the rate must be there, so nothing but S1 goes with this key.
      if (tax === '01' && rate !== 2_100) yield finding(1206);
      break;
    case '14':
      yield* checkPublicWorks(context);
      break;
    case '20':
      if (tax === '03' && operation !== 'N2') yield finding(1293);
      break;
  }
}

function hasNif(recipient: XmlElement): boolean {
  return textAt(recipient, 'NIF') !== null;
}

/** Key 14, certificates of works for public bodies: due later, to a public body (validations 15.6.9). */
function* checkPublicWorks({ record, recipients }: DetailSurroundings): Generator<Finding> {
  const day = dayOfAgencyDate(record.operationDate);
  if (day === null || record.issueDay === null || day <= record.issueDay) yield finding(1147);
  if (!['F1', 'R1', 'R2', 'R3', 'R4'].includes(record.invoiceType ?? '')) yield finding(1148);
  if (!recipients.every((recipient) => /^[PQSV]/.test(textAt(recipient, 'NIF') ?? ''))) yield finding(1149);
}
