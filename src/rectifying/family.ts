import type { InvoiceReference } from '../chain/record-xml.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Cents } from '../lib/money.ts';

/**
 * An original and the rectificativas that correct it, as seen from one of its invoices. Pure: what the rules of
 * DECISIONS D11 make of the rows that the store read.
 */

/** An invoice of the family with what of it counts for the others. */
export type Member = {
  readonly id: string;
  readonly number: string;
  readonly issuedOn: string;
  readonly type: 'complete' | 'simplified';
  readonly kind: 'original' | 'rectifying_differences' | 'rectifying_substitution' | 'exchange';
  readonly voided: boolean;
  readonly total: Cents;
  /** Sums over its breakdown as declared. */
  readonly declared: Declared;
  /** Whether a live exchange invoice stands for it. */
  readonly exchanged: boolean;
};

export type Declared = { readonly base: Cents; readonly tax: Cents; readonly surcharge: Cents };

/** The invoice that a request names, from the root of its family down to itself, and what already corrects it. */
export type Family = {
  readonly nif: string;
  /** From the original, or the first of its rectificativas here when it was issued elsewhere, to the named invoice. */
  readonly path: readonly Member[];
  /** The live rectificativa of the named invoice, if there is one. */
  readonly corrected: 'rectifying_differences' | 'rectifying_substitution' | null;
  /** The state of the named invoice at the agency; null when it was never declared. */
  readonly registration: 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped' | null;
  /** Changes whenever an amendment changes what is declared of the named invoice. */
  readonly amendment: string | null;
  /** The amounts in force of an original issued elsewhere, where its first rectificativa here said them. */
  readonly externalBefore: Cents | null;
};

/** The invoice that was named. */
export function target(family: Family): Member {
  return family.path.at(-1)!;
}

/**
 * Why the named invoice cannot be rectified, or null. In the order of D11: voided, exchange invoice, exchanged,
 * replaced, not the head, pending, not registered.
 */
export function stateRefusal(family: Family): Refusal | null {
  const invoice = target(family);
  const refuse = (code: ConstructorParameters<typeof Refusal>[0], why: string): Refusal =>
    new Refusal(code, `Invoice ${invoice.number} ${why}.`);
  if (invoice.voided) return refuse('invoice_already_voided', 'is voided');
  if (invoice.kind === 'exchange') return refuse('invoice_is_canje', 'is an exchange invoice');
  if (family.path.some((member) => member.exchanged)) {
    return refuse('invoice_has_live_canje', 'was exchanged for a complete one');
  }
  if (family.corrected === 'rectifying_substitution') {
    return refuse('invoice_already_replaced', 'was replaced by a substitution');
  }
  if (family.corrected !== null) return refuse('invoice_not_family_tip', 'was already corrected');
  if (family.registration === 'pending') {
    return refuse('invoice_pending_at_aeat', 'is still being registered');
  }
  if (family.registration !== 'registered' && family.registration !== 'registered_with_errors') {
    return refuse('invoice_not_rectifiable_at_aeat', 'is not registered at the tax agency');
  }
  return null;
}

/** What is in force: the last document that states the whole operation, and the differences issued since. */
export function inForce(family: Family): readonly Member[] {
  const statement = family.path.findLastIndex((member) => member.kind !== 'rectifying_differences');
  return family.path.slice(Math.max(0, statement));
}

/**
 * The total that is in force, of which differences take their part. Of an original issued elsewhere it is known only
 * when its rectificativa said so; otherwise null.
 */
export function balance(family: Family): Cents | null {
  const live = inForce(family);
  const sum = live.reduce((total, member) => total + member.total, 0);
  const statesAll = live[0]!.kind !== 'rectifying_differences';
  if (statesAll) return sum;
  return family.externalBefore === null ? null : family.externalBefore + sum;
}

/** The base, tax and surcharge in force, which a substitution replaces (ImporteRectificacion). */
export function amountsInForce(family: Family): { base: Cents; tax: Cents; surcharge: Cents | null } {
  const live = inForce(family);
  const sum = (pick: (declared: Declared) => Cents): Cents =>
    live.reduce((total, { declared }) => total + pick(declared), 0);
  const surcharged = live.some(({ declared }) => declared.surcharge !== 0);
  return {
    base: sum(({ base }) => base),
    tax: sum(({ tax }) => tax),
    surcharge: surcharged ? sum(({ surcharge }) => surcharge) : null,
  };
}

/** The invoices that a rectificativa of the named one refers to: the statement first, then each difference since. */
export function rectifiedReferences(family: Family): InvoiceReference[] {
  return inForce(family).map(({ number, issuedOn }) => ({ nif: family.nif, number, issuedOn }));
}
