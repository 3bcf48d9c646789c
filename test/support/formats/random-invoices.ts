import { type Cents, percentOf } from '../../../src/ground/lib/money.ts';
import type {
  InvoiceContent,
  PrintedLine,
  PrintedRecipient,
} from '../../../src/subjects/documents/content.ts';
import { NO_EXTENSION_COLUMNS } from '../../../src/subjects/extensions/columns.ts';
import { PAYMENT_MEANS } from '../../../src/subjects/extensions/types.ts';
import type { FormatSource } from '../../../src/subjects/formats/source.ts';
import { breakDown } from '../../../src/subjects/taxes/breakdown.ts';
import { type CatalogRow, defaultTaxCatalog } from '../../../src/subjects/taxes/catalog.ts';
import { classified, classifiedAs } from '../../../src/subjects/taxes/classification.ts';
import {
  extendedAmount,
  extractTaxes,
  sealedTerms,
  soldTerms,
} from '../../../src/subjects/taxes/line-amount.ts';
import { applied } from '../../../src/subjects/taxes/line-tax.ts';
import { surchargeRate } from '../../../src/subjects/taxes/surcharge.ts';
import type { Exemption, Said, TaxType } from '../../../src/subjects/taxes/types.ts';
import { invoiceContent } from '../documents/invoice-content.ts';

/** A sequence of numbers that is the same for the same seed (mulberry32). */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  }

  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  one<T>(values: readonly T[]): T {
    return values[this.whole(0, values.length - 1)]!;
  }

  chance(part: number): boolean {
    return this.next() < part;
  }
}

const DAY = '2026-07-01';
const RATES: Partial<Record<TaxType, readonly number[]>> = {
  vat: [0, 400, 1000, 2100],
  igic: [0, 300, 700, 950, 1500],
  ipsi: [50, 100, 400, 1000],
  eu_oss: [550, 1900, 2000, 2500, 2700],
  other: [300],
};

/** What an invoice is about: each with the taxes of its lines. */
const TAXES: Readonly<Record<string, readonly TaxType[]>> = {
  vat: ['vat'],
  'vat with exempt lines': ['vat', 'es_exempt'],
  surcharge: ['vat'],
  igic: ['igic'],
  ipsi: ['ipsi'],
  exempt: ['es_exempt'],
  'reverse charge': ['es_inversion_sujeto_pasivo', 'vat'],
  'not subject': ['es_non_taxable', 'es_non_taxable_localization'],
  'not subject beside vat': ['vat', 'es_non_taxable'],
  oss: ['eu_oss'],
  'intra-Community supply': ['eu_b2b'],
  'service to another state': ['eu_b2b_services', 'eu_b2b'],
  export: ['export'],
  'another tax': ['other'],
};

const KINDS = [
  'original',
  'differences',
  'substitution',
  'exchange',
  'ticket',
  'voided',
  'imported',
] as const;
type Kind = (typeof KINDS)[number];

const TEXTS = [
  'Servicio de mantenimiento',
  'Tornillo M8 × 40 <acero> & tuerca "A2"',
  "Mano de obra, oficial de 1.ª; l'Hospitalet",
  '設備の保守 — обслуживание',
  'Ñandú\u00a0€ ½',
];

const GERMAN: PrintedRecipient = {
  ...{ name: 'Jürgen Groß', companyName: 'Groß & Söhne GmbH', taxId: 'DE123456789', taxIdType: 'eu_vat' },
  ...{
    taxIdCountry: 'DE',
    line1: 'Hauptstraße 1',
    line2: null,
    postalCode: '10115',
    city: 'Berlin',
    country: 'DE',
  },
};
const SPANISH = invoiceContent().recipient!;
const RECIPIENTS: readonly PrintedRecipient[] = [
  SPANISH,
  { ...SPANISH, companyName: null, taxId: '12345678Z' },
  { ...SPANISH, postalCode: '35001', city: 'Las Palmas', taxId: 'B35000009' },
  GERMAN,
  { ...GERMAN, taxId: 'EL123456789', taxIdCountry: 'GR', country: 'GR' },
  { ...GERMAN, taxId: '12-3456789', taxIdType: 'other', taxIdCountry: 'US', country: 'US', line2: 'Suite 5' },
  { ...SPANISH, companyName: null, taxId: 'X1234567', taxIdType: 'passport', taxIdCountry: 'GB' },
  { ...SPANISH, companyName: null, taxId: '12345678Z', taxIdType: 'not_registered' },
];

/** An invoice of some kind, with what one would call it. */
export type RandomInvoice = { readonly kind: Kind; readonly about: string; readonly source: FormatSource };

/** The invoice of that number: always the same one. */
export function randomInvoice(seed: number): RandomInvoice {
  const dice = new Dice(seed);
  const kind = KINDS[seed % KINDS.length]!;
  const about = dice.one(Object.keys(TAXES));
  const catalog = randomCatalog(dice);
  const { lines, rows } = randomLines(dice, { kind, about, catalog });
  const recipient = randomRecipient(dice, kind, about);
  const source = contentOf(dice, kind, { lines, recipient });
  const taxes = breakDown(
    source.lines.map(({ subtotal, taxItems }) => ({ subtotal, taxItems: taxItems as never })),
    rows,
  );
  return { kind, about, source: { content: source, taxes } };
}

const EXEMPTIONS: readonly Exemption[] = ['E1', 'E2', 'E3', 'E4', 'E6'];

/** A company's own classification of what may be classified. */
function randomCatalog(dice: Dice): ReadonlyMap<TaxType, CatalogRow> {
  const catalog = new Map(defaultTaxCatalog);
  const change = (type: TaxType, parts: Partial<CatalogRow>) =>
    catalog.set(type, { ...catalog.get(type)!, ...parts });
  const exemption = dice.one(EXEMPTIONS);
  change('es_exempt', { exemption, regimeKey: exemption === 'E2' || exemption === 'E3' ? '02' : '01' });
  if (dice.chance(0.2)) change('es_exempt', { agencyTax: '03', exemption: 'E7', legalMention: null });
  if (dice.chance(0.2)) change('export', { exemption: 'E3' });
  if (dice.chance(0.2)) change('vat', { regimeKey: '07' });
  return catalog;
}

/** What a line may say of its own classification. */
function randomSaid(dice: Dice, { taxType, agencyTax }: CatalogRow, rate: number): Said | null {
  if (!dice.chance(0.2)) return null;
  if (taxType === 'vat') return { regimeKey: rate === 2100 ? '11' : '20' };
  if (taxType === 'es_non_taxable_localization') return { regimeKey: '08' };
  if (taxType !== 'es_exempt' || agencyTax !== '01') return null;
  return { exemption: dice.one(['E1', 'E4', 'E6'] as const), regimeKey: '01' };
}

type About = { kind: Kind; about: string; catalog: ReadonlyMap<TaxType, CatalogRow> };

function randomLines(
  dice: Dice,
  { kind, about, catalog }: About,
): { lines: PrintedLine[]; rows: CatalogRow[] } {
  const rows: CatalogRow[] = [];
  let isSaid = false;
  const count = dice.chance(0.05) ? dice.whole(40, 120) : dice.whole(1, 9);
  const lines = Array.from({ length: count }, (_, index) => {
    const type = index === 0 ? TAXES[about]![0]! : dice.one(TAXES[about]!);
    const surcharged = about === 'surcharge';
    const rate = surcharged ? dice.one([400, 1000, 2100]) : dice.one(RATES[type] ?? [0]);
    const size = dice.chance(0.1) ? 100_000_000 : 60_000;
    // A difference takes back or adds; a discount is a negative line of any invoice.
    const isNegative = dice.chance(kind === 'differences' ? 0.6 : 0.1);
    const unitAmount = (isNegative ? -1 : 1) * dice.whole(0, size);
    const quantity = dice.chance(0.2) ? dice.whole(1, 900) : dice.whole(1, 5);
    const said = randomSaid(dice, catalog.get(type)!, rate);
    const { row } = classified(catalog.get(type)!, said) as { row: CatalogRow };
    rows.push(row);
    isSaid ||= said !== null;
    const isGross = dice.chance(0.25);
    const price = dice.chance(0.15)
      ? { quantityDecimal: dice.one(['0.5', '1.25', '3.141593']), unitAmountDecimal: `${unitAmount}.125` }
      : { quantity, unitAmount };
    const surcharge = surcharged ? surchargeRate('vat', rate, DAY) : null;
    const rates = surcharge === null ? [rate] : [rate, surcharge];
    const amount = extendedAmount(price);
    const { subtotal, taxes } = isGross
      ? extractTaxes(
          amount,
          rates.map((rate) => ({ rate })),
        )
      : { subtotal: amount, taxes: rates.map((rate) => percentOf(amount, rate)) };
    const terms = soldTerms({ ...sealedTerms(price, subtotal, isGross), subtotal });
    const unit = dice.chance(0.3) ? dice.one(['HUR', 'KGM', 'C62']) : null;
    const item = (of: CatalogRow, at: number, index: number) => ({
      ...{ type: of.taxType, name: applied(of, at, null).name, rate: at, amount: taxes[index]! },
      ...(index === 0 ? said : null),
    });
    const second = surcharge === null ? [] : [item(catalog.get('es_recargo_equivalencia')!, surcharge, 1)];
    return {
      ...{ description: dice.one(TEXTS), sku: dice.chance(0.3) ? `A<${index}>&` : null },
      ...{ ...terms, unit, subtotal, total: taxes.reduce((sum, tax) => sum + tax, subtotal) },
      taxItems: [item(row, rate, 0), ...second],
    };
  });
  if (!isSaid) return { lines, rows };
  const named = lines.map((line, index) => {
    const [tax, ...second] = line.taxItems;
    return { ...line, taxItems: [{ ...tax!, classified: classifiedAs(rows[index]!) }, ...second] };
  });
  return { lines: named, rows };
}

function randomRecipient(dice: Dice, kind: Kind, about: string): PrintedRecipient | null {
  if (kind === 'ticket') return dice.chance(0.5) ? null : { ...SPANISH, taxId: null, taxIdType: null };
  if (about === 'intra-Community supply' || about === 'service to another state') return GERMAN;
  return dice.one(RECIPIENTS);
}

function contentOf(
  dice: Dice,
  kind: Kind,
  { lines, recipient }: { lines: PrintedLine[]; recipient: PrintedRecipient | null },
): InvoiceContent {
  const { issuer } = invoiceContent();
  const canary = { ...issuer, postalCode: '38001', city: 'Santa Cruz de Tenerife' };
  const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0);
  return invoiceContent({
    ...{
      lines,
      recipient,
      issuer: dice.chance(0.2) ? canary : issuer,
      type: kind === 'ticket' ? 'simplified' : 'complete',
    },
    ...{ kind: KIND_OF[kind] ?? 'original', imported: kind === 'imported' },
    voidedOn: kind === 'voided' ? '2026-07-02' : null,
    environment: dice.chance(0.5) ? 'test' : 'live',
    operationOn: dice.chance(0.3) ? '2026-06-28' : null,
    notes: dice.chance(0.3) ? 'Entregado\r\nen mano & <firmado>' : null,
    extensions: extensionsOf(dice, subtotal),
    exchanged: kind === 'exchange' ? references(dice, 'T', dice.whole(1, 3)) : [],
    rectification:
      KIND_OF[kind] === undefined || kind === 'exchange'
        ? null
        : {
            references: references(dice, 'F', dice.chance(0.2) ? 2 : 1).map((reference) => ({
              ...{ ...reference, operationOn: null },
            })),
            reason: dice.one(['correction', 'insolvency', 'uncollectible', 'other']),
            base: kind === 'substitution' ? 10_000 : null,
            tax: kind === 'substitution' ? 2_100 : null,
            surcharge: null,
          },
  });
}

const KIND_OF: Partial<Record<Kind, InvoiceContent['kind']>> = {
  differences: 'rectifying_differences',
  substitution: 'rectifying_substitution',
  exchange: 'exchange',
};

function references(dice: Dice, series: string, count: number) {
  return Array.from({ length: count }, () => ({
    number: `${series}-2026-${dice.whole(1, 900)}`,
    issuedOn: '2026-05-02',
  }));
}

function extensionsOf(dice: Dice, subtotal: Cents) {
  const withheld = dice.chance(0.2)
    ? { withholding_rate: 1500, withholding_base: subtotal, withholding_amount: percentOf(subtotal, 1500) }
    : {};
  const paid = dice.chance(0.1) ? [{ description: dice.one(TEXTS), amount: dice.whole(1, 9_000) }] : null;
  const means = dice.one(PAYMENT_MEANS);
  const account = dice.chance(0.7) ? { iban: 'ES9121000418450200051332' } : {};
  const named = dice.chance(0.5) ? { reference: 'Pedido <7> & 8', terms: 'A 30 días' } : {};
  return {
    ...NO_EXTENSION_COLUMNS,
    ...withheld,
    ...{ disbursements: paid, disbursed_amount: paid === null ? null : paid[0]!.amount },
    due_date: dice.chance(0.5) ? '2026-07-31' : null,
    payment: dice.chance(0.5) ? { means, ...account, ...named } : null,
    references: dice.chance(0.3)
      ? { purchase_order: 'P-1', buyer_reference: 'B & 2', contract: 'C-3', project: 'O-4' }
      : null,
    delivery: dice.chance(0.3) ? { from: '2026-06-01', to: '2026-06-30' } : null,
  };
}
