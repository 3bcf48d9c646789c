import { centsOf, rateOf } from '../amounts.ts';
import type { Submitted } from '../submitted.ts';
import { childOf, childrenOf, textAt, type XmlElement } from '../xml.ts';
import type { Detail, DetailSurroundings } from './detail.ts';
import { type CheckContext, effectiveDay, type Finding, finding } from './finding.ts';
import { checkRates } from './rates.ts';
import { checkRegime } from './regime.ts';

const AMOUNTS = [
  'BaseImponibleOimporteNoSujeto',
  'BaseImponibleACoste',
  'CuotaRepercutida',
  'CuotaRecargoEquivalencia',
] as const;
const RATES = ['TipoImpositivo', 'TipoRecargoEquivalencia'] as const;
const OPERATIONS = new Set(['S1', 'S2', 'N1', 'N2']);
const EXEMPTIONS = new Set(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8']);

/** The agency's margin on amounts, 10.00 euros in cents (validations 15.7, 15.8, 16 and 17). */
export const MARGIN = 1_000;

/** The details of a record's Desglose. Amounts of a wrong form count as zero here; `checkBreakdown` refuses them. */
export function detailsOf(record: Submitted): Detail[] {
  return childrenOf(childOf(record.element, 'Desglose'), 'DetalleDesglose').map(detailOf);
}

function detailOf(element: XmlElement): Detail {
  return {
    tax: textAt(element, 'Impuesto') || '01',
    regime: textAt(element, 'ClaveRegimen') || null,
    operation: textAt(element, 'CalificacionOperacion') || null,
    exemption: textAt(element, 'OperacionExenta') || null,
    rate: rateOf(textAt(element, 'TipoImpositivo')),
    base: centsOf(textAt(element, 'BaseImponibleOimporteNoSujeto')) ?? 0,
    costBase: centsOf(textAt(element, 'BaseImponibleACoste')),
    quota: centsOf(textAt(element, 'CuotaRepercutida')),
    surchargeRate: rateOf(textAt(element, 'TipoRecargoEquivalencia')),
    surcharge: centsOf(textAt(element, 'CuotaRecargoEquivalencia')),
  };
}

/** Every detail of the tax breakdown (validations 3.1.3.15). */
export function* checkBreakdown(record: Submitted, { today }: CheckContext): Generator<Finding> {
  const elements = childrenOf(childOf(record.element, 'Desglose'), 'DetalleDesglose');
  const context: DetailSurroundings = {
    record,
    today,
    recipients: childrenOf(childOf(record.element, 'Destinatarios'), 'IDDestinatario'),
    day: effectiveDay(record),
  };
  for (const element of elements) {
    yield* checkForms(element);
    const detail = detailOf(element);
    yield* checkClass(detail);
    yield* checkRegime(detail, context);
    yield* checkOperation(detail, context);
    yield* checkRates(detail, context.day);
    yield* checkQuota(detail, record);
  }
}

function* checkForms(element: XmlElement): Generator<Finding> {
  for (const name of AMOUNTS) {
    const text = textAt(element, name);
    if (text !== null && centsOf(text) === null) yield finding(1100);
  }
  for (const name of RATES) {
    const text = textAt(element, name);
    if (text !== null && rateOf(text) === null) yield finding(1100);
  }
  if (!['', '01', '02', '03', '05'].includes(textAt(element, 'Impuesto') ?? '')) yield finding(1218);
}

function* checkClass({ tax, operation, exemption }: Detail): Generator<Finding> {
  if (operation === null && exemption === null) yield finding(1195);
  if (operation !== null && exemption !== null) yield finding(1196);
  if (operation !== null && !OPERATIONS.has(operation)) yield finding(1181);
  if (exemption === null) return;
  const onlyIgic = exemption === 'E7' || exemption === 'E8';
  if (!EXEMPTIONS.has(exemption) || (onlyIgic && tax !== '03')) yield finding(1182);
}

function anyAmount(detail: Detail): boolean {
  return [detail.rate, detail.quota, detail.surchargeRate, detail.surcharge].some((value) => value !== null);
}

/** What each operation class must and must not carry (validations 15.4, 15.5, 15.7). */
function* checkOperation(detail: Detail, { record, recipients }: DetailSurroundings): Generator<Finding> {
  const { tax, operation, exemption, rate, quota } = detail;
  if (operation === 'S1' && (rate === null || quota === null))
    yield finding(detail.regime === '06' ? 1209 : 1208);
  if (operation === 'S2') {
    if (record.invoiceType === 'F2' || record.invoiceType === 'R5') yield finding(1197);
    if (rate !== 0 || quota !== 0) yield finding(1198);
  }
  if ((operation === 'N1' || operation === 'N2') && tax === '01' && anyAmount(detail)) yield finding(1237);
  if (exemption !== null && anyAmount(detail)) yield finding(1238);
  const byNif = recipients.some((recipient) => childOf(recipient, 'NIF') !== undefined);
  if (exemption === 'E5' && tax === '01' && byNif) yield finding(1289);
  if (operation !== 'S1' && quota !== null && quota !== 0) yield finding(1207);
  if (operation !== 'S1' && (detail.surchargeRate !== null || detail.surcharge !== null)) yield finding(1281);
  if ((detail.surchargeRate === null) !== (detail.surcharge === null)) yield finding(1284);
  const costAllowed = detail.regime === '06' || tax === '02' || tax === '05';
  if (detail.costBase !== null && !costAllowed) yield finding(1257);
}

/** The quota against base and rate; deltas and the two credit notes for unpaid invoices are free of it (15.7). */
function* checkQuota(
  { operation, base, costBase, rate, quota }: Detail,
  record: Submitted,
): Generator<Finding> {
  const free = record.invoiceType === 'R2' || record.invoiceType === 'R3';
  if (operation !== 'S1' || rate === null || quota === null || free) return;
  if (textAt(record.element, 'TipoRectificativa') === 'I') return;
  const of = costBase ?? base;
  if (quota !== 0 && Math.sign(quota) !== Math.sign(of)) yield finding(costBase === null ? 1143 : 1140);
  // Beyond the safe integers the product is off by cents at most, against a margin of a thousand.
  if (Math.abs((of * rate) / 10_000 - quota) > MARGIN) yield finding(costBase === null ? 1142 : 1144);
}
