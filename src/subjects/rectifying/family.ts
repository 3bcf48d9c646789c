import { Refusal } from '../../ground/errors/refusal.ts';
import type { BasisPoints, Cents } from '../../ground/lib/money.ts';
import type { InvoiceReference } from '../chain/record-xml.ts';
import { type Disbursement, sumOf } from '../extensions/disbursements.ts';
import type { TaxDetail } from '../taxes/breakdown.ts';

/**
 * An original and the rectificativas that correct it, as seen from one of its invoices. Pure functions: the rules
 * of docs/contract.md#families on the rows that the store read.
 */

/** An invoice of the family with the data that matters for the others. */
export type Member = {
  readonly id: string;
  readonly number: string;
  readonly issuedOn: string;
  /** The day of its operation, or of the operation elsewhere that it corrects: the issue day unless another was given. */
  readonly operationOn: string;
  readonly type: 'complete' | 'simplified';
  readonly qualifiedSimplified: boolean;
  readonly recipientUnidentified: boolean;
  readonly kind: 'original' | 'rectifying_differences' | 'rectifying_substitution' | 'exchange';
  /** The reason of a rectificativa; null for others. */
  readonly reason: 'correction' | 'insolvency' | 'uncollectible' | 'other' | 'volume_discount' | null;
  readonly voided: boolean;
  readonly total: Cents;
  /** The income tax withheld by the recipient, and its rate; null when there is none. */
  readonly withholding: {
    readonly rate: BasisPoints;
    readonly base: Cents;
    readonly amount: Cents;
  } | null;
  /** What was paid in the customer's name, or by differences what that changes. */
  readonly disbursements: readonly Disbursement[];
  /** As currently declared. */
  readonly breakdown: readonly TaxDetail[];
  /** Whether an exchange invoice in force replaces it. */
  readonly exchanged: boolean;
  /** Changes with every amendment of its declaration. */
  readonly amendment: string | null;
};

/** The invoice of a request, from the root of its family down to itself, and what already corrects it. */
export type Family = {
  readonly nif: string;
  /**
   * From the original, or the first of its rectificativas here when it was issued elsewhere, to the named invoice.
   */
  readonly path: readonly Member[];
  /** The rectificativa in force of the named invoice, if there is one. */
  readonly corrected: 'rectifying_differences' | 'rectifying_substitution' | null;
  /** The state of the named invoice at the agency; null when it was never declared. */
  readonly registration: 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped' | null;
  /** The original if it was issued elsewhere, with its amounts if its first rectificativa here stated them. */
  readonly external: ExternalOriginal | null;
};

export type ExternalOriginal = {
  readonly number: string;
  readonly issuedOn: string;
  readonly amounts: Amounts | null;
};

/** Surcharge is null when there is none at all. */
export type Amounts = { readonly base: Cents; readonly tax: Cents; readonly surcharge: Cents | null };

/** The invoice that was named. */
export function target(family: Family): Member {
  return family.path.at(-1)!;
}

/**
 * Why the named invoice cannot be rectified, or null. Checked in this order: voided, exchange invoice, exchanged,
 * replaced, not the head, pending, not registered.
 */
export function stateRefusal(family: Family): Refusal | null {
  const invoice = target(family);
  if (invoice.voided) return refuse(invoice, 'invoice_already_voided', 'is voided');
  if (invoice.kind === 'exchange') return refuse(invoice, 'invoice_is_canje', 'is an exchange invoice');
  return headRefusal(family) ?? registrationRefusal(family);
}

/**
 * Why the named invoice is not the head, which alone may be corrected or voided, or null: exchanged, replaced,
 * corrected.
 */
export function headRefusal(family: Family): Refusal | null {
  const invoice = target(family);
  if (family.path.some((member) => member.exchanged)) {
    return refuse(invoice, 'invoice_has_live_canje', 'was exchanged for a complete one');
  }
  return correctedRefusal(family);
}

/** Why the named invoice is not the last of its family, or null: replaced, corrected. */
export function correctedRefusal(family: Family): Refusal | null {
  const invoice = target(family);
  if (family.corrected === 'rectifying_substitution') {
    return refuse(invoice, 'invoice_already_replaced', 'was replaced by a substitution');
  }
  return family.corrected === null
    ? null
    : refuse(invoice, 'invoice_not_family_tip', 'was already corrected');
}

/** Why what the agency holds of the named invoice does not allow a correction, or null. */
export function registrationRefusal(family: Family): Refusal | null {
  const { registration } = family;
  const invoice = target(family);
  if (registration === 'registered' || registration === 'registered_with_errors') return null;
  if (registration === 'pending')
    return refuse(invoice, 'invoice_pending_at_aeat', 'is still being registered');
  return refuse(invoice, 'invoice_not_rectifiable_at_aeat', 'is not registered at the tax agency');
}

function refuse({ number }: Member, code: Refusal['code'], detail: string): Refusal {
  return new Refusal(code, `Invoice ${number} ${detail}.`);
}

/** Whether amendments have changed what is declared of the family compared with `before`. */
export function isAmendedSince(before: Family, now: Family): boolean {
  return now.path.some(({ amendment }, index) => amendment !== before.path[index]?.amendment);
}

/** What is in force here: the last document that states the whole operation, and the differences issued since. */
export function inForce(family: Family): readonly Member[] {
  const statement = family.path.findLastIndex((member) => member.kind !== 'rectifying_differences');
  return family.path.slice(Math.max(0, statement));
}

/** The statement in force when it was issued elsewhere: nothing here has replaced it, only changed it. */
function externalStatement(family: Family): ExternalOriginal | null {
  return inForce(family)[0]!.kind === 'rectifying_differences' ? family.external : null;
}

/**
 * The total in force, which limits differences. For an original issued elsewhere it is known only if its
 * rectificativa stated it; otherwise null.
 */
export function balance(family: Family): Cents | null {
  const sum = inForce(family).reduce((total, member) => total + member.total, 0);
  const statement = externalStatement(family);
  if (statement === null) return sum;
  return statement.amounts === null ? null : totalOf(statement.amounts) + sum;
}

/** The income tax withheld of what is in force: its rate, and of how much; null when there is none or it is unknown. */
export function withholdingInForce(family: Family): { rate: BasisPoints; base: Cents } | null {
  const withheld = inForce(family).flatMap(({ withholding }) => withholding ?? []);
  const [first] = withheld;
  if (first === undefined) return null;
  return { rate: first.rate, base: withheld.reduce((sum, { base }) => sum + base, 0) };
}

/** The disbursements in force; null when the statement was issued elsewhere, because its own are unknown. */
export function disbursedBalance(family: Family): Cents | null {
  if (externalStatement(family) !== null) return null;
  return inForce(family).reduce((sum, { disbursements }) => sum + sumOf(disbursements), 0);
}

/**
 * The amount payable of the total in force: less the withheld amount, and with the disbursements. Null when the total is not
 * known, and when the statement was issued elsewhere, because its withholding is unknown.
 */
export function payableBalance(family: Family): Cents | null {
  const disbursed = disbursedBalance(family);
  if (disbursed === null) return null;
  return inForce(family).reduce(
    (sum, { total, withholding }) => sum + total - (withholding?.amount ?? 0),
    disbursed,
  );
}

/** What can still be credited by differences: zero if the head is voided or exchanged; null if the total is not known. */
export function creditable(family: Family): Cents | null {
  const { voided, kind } = target(family);
  if (voided || kind === 'exchange' || family.path.some(({ exchanged }) => exchanged)) return 0;
  const remainder = balance(family);
  return remainder === null ? null : Math.max(0, remainder);
}

/** Base, tax and surcharge together. */
export function totalOf({ base, tax, surcharge }: Amounts): Cents {
  return base + tax + (surcharge ?? 0);
}

/**
 * The base, tax and surcharge in force, which a substitution replaces (ImporteRectificacion); null when those of an
 * original issued elsewhere are not known.
 */
export function amountsInForce(family: Family): Amounts | null {
  const statement = externalStatement(family);
  if (statement !== null && statement.amounts === null) return null;
  const before = statement?.amounts ?? { base: 0, tax: 0, surcharge: null };
  const details = inForce(family).flatMap(({ breakdown }) => breakdown);
  const sum = (from: Cents, pick: (detail: TaxDetail) => Cents | null): Cents =>
    details.reduce((total, detail) => total + (pick(detail) ?? 0), from);
  const isSurcharged = before.surcharge !== null || details.some(({ surcharge }) => surcharge !== null);
  return {
    base: sum(before.base, ({ declaredBase }) => declaredBase),
    tax: sum(before.tax, ({ declaredTax }) => declaredTax),
    surcharge: isSurcharged ? sum(before.surcharge ?? 0, ({ surcharge }) => surcharge) : null,
  };
}

/**
 * The invoices that a rectificativa of the named one refers to: the statement first, then each difference since.
 */
export function rectifiedReferences(family: Family): InvoiceReference[] {
  const statement = externalStatement(family);
  const documents = statement === null ? inForce(family) : [statement, ...inForce(family)];
  return documents.map(({ number, issuedOn }) => ({ nif: family.nif, number, issuedOn }));
}
