import { decimalAmount, decimalRate } from '../../../ground/lib/money.ts';
import type { InvoiceContent } from '../../documents/content.ts';
import { rectifiedAmounts } from '../../documents/rectified-amounts.ts';
import { es } from '../../documents/texts/es.ts';
import { SELF_BILLING, THIRD_PARTY } from '../../extensions/issued-by.ts';
import { withholdingOf } from '../../extensions/payable.ts';
import type { TaxDetail } from '../../taxes/breakdown.ts';
import type { FormatSource } from '../source.ts';

const { law: legal } = es;

/**
 * The notes (BG-1): statements required by law without a term in the standard, each once, in the order of the
 * pages, and then the merchant's own text. In Spanish, as worded in the law.
 */
export function notesOf({ content, taxes }: FormatSource): string[] {
  const notes = [
    content.environment === 'test' ? legal.test : null,
    isQualified(content) && content.rectification === null ? legal.title.simplified : null,
    ...correctionNotes(content),
    issuerNote(content),
    ...mentions(taxes),
    consumptionState(content, taxes),
    withholdingNote(content),
    content.notes,
  ];
  return [...new Set(notes.filter((note) => note !== null))];
}

/** No type code says that an invoice with its recipient is a simplified one (RD 1619/2012 art. 7.2, 7.3). */
const isQualified = ({ extensions }: InvoiceContent): boolean => extensions.qualified_simplified === true;

function correctionNotes(content: InvoiceContent): (string | null)[] {
  const { kind, rectification, exchanged } = content;
  const notes: (string | null)[] = [];
  if (rectification !== null) {
    const { reason } = rectification;
    const { rectifyingComplete, rectifyingSimplified } = legal.title;
    notes.push(`${isQualified(content) ? rectifyingSimplified : rectifyingComplete}. ${methodOf(kind)}`);
    if (reason !== null) notes.push(`${es.rectification.reason}: ${legal.reasons[reason]}`);
    for (const [label, text] of rectifiedAmounts(content, es, euros)) notes.push(`${label}: ${text}`);
  }
  if (exchanged.length > 0) {
    notes.push(exchanged.length === 1 ? es.exchange.ticket : es.exchange.tickets);
  }
  return notes;
}

/** RD 1619/2012 art. 6.1.l; the standard has no party for somebody else who issues. */
function issuerNote({ extensions: { issued_by: by, third_party: third } }: InvoiceContent): string | null {
  if (by === 'recipient') return SELF_BILLING.es;
  return third === null ? null : `${THIRD_PARTY.es}: ${third.name}, ${third.tax_id}`;
}

function methodOf(kind: InvoiceContent['kind']): string {
  return kind === 'rectifying_substitution' ? legal.substitution : legal.differences;
}

/** The statements required by law for a tax (RD 1619/2012 art. 6.1.j to ñ). */
function mentions(taxes: readonly TaxDetail[]): (string | null)[] {
  const mentions = taxes.map(({ legalMention }) => legalMention);
  const isCash = taxes.some(({ regimeKey }) => regimeKey === '07');
  const hasCash = mentions.some((mention) => mention?.includes(legal.cashAccounting) === true);
  return isCash && !hasCash ? [...mentions, legal.cashAccounting] : mentions;
}

/** That an amount was withheld, on which base and how much: the standard only shows it as paid. */
function withholdingNote({ extensions }: InvoiceContent): string | null {
  const withheld = withholdingOf(extensions);
  if (withheld === null) return null;
  const { rate, base, amount } = withheld;
  return `Retención IRPF ${es.figures.percent(decimalRate(rate).replace('.', ','))} sobre ${euros(base)}: ${euros(amount)}`;
}

const countries = new Intl.DisplayNames('es-ES', { type: 'region' });

/** The state whose VAT an OSS invoice charges: there is no term for it. */
function consumptionState({ recipient }: InvoiceContent, taxes: readonly TaxDetail[]): string | null {
  const country = recipient?.country ?? null;
  if (country === null || !taxes.some(({ type }) => type === 'eu_oss')) return null;
  return legal.ossCountry(countries.of(country) ?? country);
}

function euros(cents: number): string {
  return `${decimalAmount(cents).replace('.', ',')} €`;
}
