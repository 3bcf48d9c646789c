import type { TaxType } from '../../src/subjects/taxes/types.ts';
import type { Random } from '../simulation/random.ts';
import { ANA } from '../support/invoices/corrections.ts';

const ADDRESS = { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid', country: 'ES' };
const ABROAD = { line1: 'Hauptstraße 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
const COMPANY = {
  ...{ name: 'Ana Müller', companyName: 'Construcciones del Norte SA', taxId: 'A58818501' },
  address: ADDRESS,
};
const GERMAN = {
  ...{ name: 'Jürgen Groß', companyName: 'Groß & Söhne GmbH', taxId: 'DE123456789' },
  ...{ taxIdType: 'eu_vat', taxIdCountry: 'DE', address: ABROAD },
};
const TOURIST = {
  ...{ name: 'John <Doe> & Sons', taxId: 'X1234567', taxIdType: 'passport', taxIdCountry: 'GB' },
  address: { ...ABROAD, country: 'GB' },
};
const ANA_APART = { ...ANA, givenName: 'Ana', surnames: 'García Pérez' };
/** Who may be invoiced, and issue an invoice in the company's name. */
export const RECIPIENTS = [ANA, ANA_APART, COMPANY, GERMAN, TOURIST] as const;
const SPANISH: readonly object[] = [ANA, ANA_APART, COMPANY];

type Charged = readonly [type: TaxType, rates: readonly [number, ...number[]]];

/** What invoices are about: the taxes that their lines may bear. */
const SUBJECTS: readonly [readonly Charged[], ...(readonly Charged[])[]] = [
  [['vat', [0, 4, 10, 21]]],
  [
    ['vat', [4, 10, 21]],
    ['es_exempt', [0]],
    ['es_non_taxable', [0]],
  ],
  [['igic', [0, 3, 7, 9.5, 15]]],
  [['ipsi', [0.5, 1, 4, 10]]],
  [['es_non_taxable_localization', [0]]],
  [['export', [0]]],
  [['other', [3]]],
];
/** The same of tickets, whose buyers may live in another member state. */
const OF_TICKETS: typeof SUBJECTS = [
  ...SUBJECTS,
  [
    ['eu_oss', [5.5, 19, 25, 27]],
    ['es_non_taxable_localization', [0]],
  ],
];
/** The same of operations that want somebody who is identified. */
const DOMESTIC: typeof SUBJECTS = [
  ...SUBJECTS,
  [
    ['es_inversion_sujeto_pasivo', [0]],
    ['vat', [21]],
  ],
];
const WITHIN_THE_UNION: typeof SUBJECTS = [
  ...SUBJECTS,
  [
    ['eu_b2b', [0]],
    ['eu_b2b_services', [0]],
  ],
];

/** What bears the equivalence surcharge, now and when the rates of necessities were lower (VAL 15.1 and 15.3). */
const SURCHARGED: readonly Charged[] = [['vat', [4, 10, 21]]];
type Earlier = { readonly issuedOn: string; readonly operationDate: string; readonly rates: Charged[1] };
const EARLIER: readonly [Earlier, ...Earlier[]] = [
  { issuedOn: '2023-06-02', operationDate: '2023-05-31', rates: [0, 5, 10, 21] },
  { issuedOn: '2024-11-20', operationDate: '2024-10-01', rates: [2, 7.5, 10, 21] },
];

/** What a line may say of its classification on any invoice. */
const SAID: Readonly<Partial<Record<TaxType, readonly [object, ...object[]]>>> = {
  vat: [{ regimeKey: '07' }, { regimeKey: '20' }, { operationClass: 'S1' }],
  igic: [{ regimeKey: '07' }, { regimeKey: '15' }],
  ipsi: [{ regimeKey: '11' }, { regimeKey: '20' }],
  es_exempt: [{ exemption: 'E1' }, { exemption: 'E4' }, { exemption: 'E6', regimeKey: '07' }],
  es_non_taxable: [{ operationClass: 'N1' }],
  es_non_taxable_localization: [{ regimeKey: '08' }],
  es_inversion_sujeto_pasivo: [{ regimeKey: '04' }],
  export: [{ exemption: 'E3' }],
};

export const TEXTS = ['Servicio de asesoría', 'Tornillo <M8> & "tuerca"', 'Ñandú € ½', '設備の保守'] as const;

/** What may be sold to somebody without a tax id, and with a ticket that names its recipient. */
const WITHOUT_TAX_ID: typeof SUBJECTS = [
  [
    ['eu_oss', [5.5, 19, 25, 27]],
    ['es_non_taxable_localization', [0]],
  ],
];
const ON_TICKETS = SUBJECTS.filter(([first]) => first?.[0] !== 'export') as unknown as typeof SUBJECTS;
const CONSUMER = { name: 'Marie <Dubois>', address: ABROAD };

/** The form of a complete invoice. */
type Form = 'plain' | 'qualified' | 'unidentified';

/** An invoice that is to be corrected, and how. */
export type Correctable = {
  readonly id: string;
  readonly type: 'complete' | 'simplified';
  readonly form: Form;
  /** Whether its recipient has a Spanish NIF: withholds, and can be insolvent. */
  readonly isSpanish: boolean;
  readonly method: 'differences' | 'substitution';
};

/** The series on which others issue in the company's name: a third party, and each of the recipients. */
export type IssuerSeries = { readonly thirdParty: string; readonly ofRecipients: readonly string[] };

/**
 * A request to issue, in the operations' spelling, that mixes all that an invoice may carry; `name` is its external id,
 * `corrects` what it rectifies.
 */
export function randomRequest(
  dice: Random,
  name: string,
  corrects: Correctable | null,
  series: IssuerSeries,
): object {
  if (corrects === null && dice.chance(0.06)) return ofAnInvoiceElsewhere(dice, name);
  const type = corrects?.type ?? (dice.chance(0.3) ? 'simplified' : 'complete');
  const form = type === 'simplified' ? 'plain' : (corrects?.form ?? randomForm(dice));
  const recipient = type === 'simplified' || corrects !== null ? null : recipientOf(dice, form);
  const isSpanish = corrects?.isSpanish ?? (recipient !== null && SPANISH.includes(recipient));
  // By differences it is what the corrected one bears.
  const isWithheld = isSpanish && corrects?.method !== 'differences' && dice.chance(0.6);
  const surcharged = form !== 'unidentified' && dice.chance(0.15);
  const isSmall = type === 'simplified' || form === 'qualified';
  const subjects = type === 'simplified' ? OF_TICKETS : subjectsOf(recipient, form);
  const lineItems = randomLines(dice, {
    subject: surcharged ? SURCHARGED : dice.pick(subjects),
    ...{ surcharged, isTicket: isSmall, mayBeBelowZero: corrects?.method === 'differences' },
  });
  return {
    ...{ type, lineItems, externalId: name },
    ...(recipient === null ? {} : { recipient }),
    ...(corrects === null && form === 'qualified' ? { qualifiedSimplified: true } : {}),
    ...(corrects === null && form === 'unidentified' ? { recipientUnidentified: true } : {}),
    ...(corrects === null ? randomIssuer(dice, recipient, form, series) : {}),
    ...(surcharged ? { recargoEquivalencia: true } : {}),
    ...(corrects === null && dice.chance(0.3) ? { operationDate: '2026-06-28' } : {}),
    ...(isWithheld ? { withholding: randomWithholding(dice, lineItems) } : {}),
    ...extensions(dice),
    ...(corrects === null ? {} : { rectifies: rectifies(dice, corrects) }),
  };
}

/** A rectificativa of an invoice of another system, at the rates of its day. */
function ofAnInvoiceElsewhere(dice: Random, name: string): object {
  const { issuedOn, operationDate, rates } = dice.pick(EARLIER);
  const method = dice.pick(['differences', 'substitution']);
  const surcharged = dice.chance(0.3);
  return {
    type: 'complete',
    lineItems: randomLines(dice, {
      subject: [['vat', rates]],
      ...{ surcharged, isTicket: false, mayBeBelowZero: method === 'differences' },
    }),
    ...{ externalId: name, recipient: dice.pick([ANA, COMPANY]) },
    ...(surcharged ? { recargoEquivalencia: true } : {}),
    ...extensions(dice),
    rectifies: {
      external: {
        ...{ number: `ANTIGUA/${name}`, issuedOn },
        ...(dice.chance(0.5) ? { operationDate } : {}),
        rectifiedAmounts: { base: 1_000_000_000, tax: 210_000_000 },
      },
      method,
    },
  };
}

function recipientOf(dice: Random, form: Form): object {
  if (form === 'unidentified') return CONSUMER;
  return dice.pick(form === 'qualified' ? [ANA, COMPANY, GERMAN] : RECIPIENTS);
}

/** Who issues, if not the company. */
function randomIssuer(dice: Random, recipient: object | null, form: Form, series: IssuerSeries): object {
  if (dice.chance(0.1)) {
    return { issuedBy: 'third_party', thirdParty: THIRD_PARTY, numberSeriesId: series.thirdParty };
  }
  const place = (RECIPIENTS as readonly (object | null)[]).indexOf(recipient);
  if (form !== 'plain' || place < 0 || !dice.chance(0.1)) return {};
  return { issuedBy: 'recipient', numberSeriesId: series.ofRecipients[place] };
}

type SentLine = {
  readonly quantity?: number;
  readonly unitAmount?: number;
  readonly unitAmountDecimal?: string;
};

/** Of the whole net amount, or of a part that is surely within it. */
function randomWithholding(dice: Random, lines: readonly SentLine[]): object {
  const rate = dice.pick([1, 7, 15, 19, dice.integer(40, 5_000) / 100]);
  const prices = lines.map((line) => line.unitAmount ?? Number(line.unitAmountDecimal));
  const isOneSign = prices.every((price) => Math.sign(price) === Math.sign(prices[0]!));
  if (!isOneSign || dice.chance(0.6)) return { rate };
  const least = prices.reduce((sum, price) => sum + price, 0);
  return { rate, base: Math.trunc((least * dice.integer(1, 70)) / 100) };
}

function randomDisbursements(dice: Random): object[] {
  return Array.from({ length: dice.integer(1, 4) }, () => ({
    description: dice.pick(TEXTS),
    amount: dice.integer(1, 90_000),
    ...(dice.chance(0.5) ? { reference: 'RM <1> & 2' } : {}),
  }));
}

function rectifies(dice: Random, { id, method, isSpanish }: Correctable): object {
  const reason = dice.pick(
    isSpanish
      ? (['correction', 'insolvency', 'uncollectible', 'other'] as const)
      : (['correction', 'other'] as const),
  );
  return { invoiceId: id, method, reason };
}

const THIRD_PARTY = { name: 'Gestoría <Ruiz> & Hijos SL', taxId: 'B12345674' };

function randomForm(dice: Random): Form {
  if (dice.chance(0.15)) return 'qualified';
  return dice.chance(0.15) ? 'unidentified' : 'plain';
}

function subjectsOf(recipient: object | null, form: Form): typeof SUBJECTS {
  if (form === 'unidentified') return WITHOUT_TAX_ID;
  if (form === 'qualified') return ON_TICKETS;
  if (recipient === null || recipient === TOURIST) return SUBJECTS;
  return recipient === GERMAN ? WITHIN_THE_UNION : DOMESTIC;
}

type LinesOf = {
  readonly subject: readonly Charged[];
  readonly surcharged: boolean;
  readonly isTicket: boolean;
  readonly mayBeBelowZero: boolean;
};

function randomLines(dice: Random, of: LinesOf): object[] {
  const length = !of.isTicket && dice.chance(0.05) ? dice.integer(40, 120) : dice.integer(1, 7);
  // An ordinary ticket sells something.
  const sells = of.isTicket && !of.mayBeBelowZero;
  return Array.from({ length }, (_, index) => randomLine(dice, of, sells && index === 0 ? 0 : undefined));
}

function randomLine(
  dice: Random,
  { subject, surcharged, isTicket, mayBeBelowZero }: LinesOf,
  chanceBelowZero = mayBeBelowZero ? 0.5 : 0.1,
): object {
  const [type, rates] = dice.pick(subject as [Charged, ...Charged[]]);
  const rate = dice.pick(rates);
  const isBelowZero = dice.chance(chanceBelowZero);
  // A ticket may come to 3,000 euros.
  const most = isTicket ? 5_000 : dice.chance(0.1) ? 50_000_000 : 60_000;
  const unitAmount = (isBelowZero ? -1 : 1) * dice.integer(100, most);
  const quantity = !isTicket && dice.chance(0.2) ? dice.integer(1, 900) : dice.integer(1, 5);
  const fraction = String(dice.integer(1, 999_999)).padStart(6, '0');
  return {
    description: dice.pick(TEXTS),
    ...(dice.chance(0.3) ? { sku: 'A<1>&' } : {}),
    ...(dice.chance(0.3) ? { quantityDecimal: `${quantity}.${fraction}` } : { quantity }),
    ...(dice.chance(0.3) ? { unitAmountDecimal: `${unitAmount}.${fraction}` } : { unitAmount }),
    ...(dice.chance(0.3) ? { unit: dice.pick(['HUR', 'KGM', 'C62', 'MTK']) } : {}),
    ...(dice.chance(0.1) ? { pricesIncludeTax: dice.chance(0.5) } : {}),
    taxItems: [
      {
        ...(rate === 0 && type !== 'vat' && type !== 'igic' ? { type } : { type, rate }),
        ...(!surcharged && dice.chance(0.15) ? saidOf(dice, type, rate) : {}),
      },
    ],
  };
}

function saidOf(dice: Random, type: TaxType, rate: number): object {
  // The lease of business premises bears 21 % alone (agency code 1206).
  if (type === 'vat' && rate === 21 && dice.chance(0.3)) return { regimeKey: '11' };
  const said = SAID[type];
  return said === undefined ? {} : dice.pick(said);
}

function extensions(dice: Random): object {
  const means = dice.pick(['transfer', 'direct_debit', 'card', 'cash', 'other']);
  return {
    ...(dice.chance(0.3) ? { pricesIncludeTax: true } : {}),
    ...(dice.chance(0.3) ? { notes: 'Entregado\nen mano & <firmado>' } : {}),
    ...(dice.chance(0.2) ? { disbursements: randomDisbursements(dice) } : {}),
    ...(dice.chance(0.4) ? { dueDate: '2027-01-31' } : {}),
    ...(dice.chance(0.4)
      ? {
          payment: { means, iban: 'ES91 2100 0418 4502 0005 1332', reference: 'A & <B>', terms: 'A 30 días' },
        }
      : {}),
    ...(dice.chance(0.3) ? { references: { purchaseOrder: 'P-1', contract: 'C & 3' } } : {}),
    ...(dice.chance(0.3) ? { delivery: { from: '2026-06-01', to: '2026-06-30' } } : {}),
    ...(dice.chance(0.2)
      ? { displayCurrency: { code: dice.pick(['usd', 'JPY', 'kwd']), rate: '1.0837', source: 'BCE <1>' } }
      : {}),
    ...(dice.chance(0.3) ? { language: dice.pick(['es', 'en', 'ca', 'gl', 'eu']) } : {}),
    ...(dice.chance(0.3) ? { metadata: { order: '17', '=cmd': '<b>' } } : {}),
  };
}
