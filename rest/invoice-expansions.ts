/**
 * What `expand[]` adds to an invoice (docs/contract.md#invoices): fields that GraphQL has and the contract's object does
 * not.
 */
export const EXPANSIONS = ['notes', 'rectification', 'exchange', 'records', 'payments'] as const;
export type Expansion = (typeof EXPANSIONS)[number];

/** The query parameter, for every operation that returns invoices. */
export const EXPAND = { 'expand[]': { variable: 'expand', oneOf: EXPANSIONS, repeatable: true } } as const;

/** The variables of a document that has `EXPANSION_FIELDS`. */
export const EXPANSION_VARIABLES =
  '$notes: Boolean!, $rectification: Boolean!, $exchange: Boolean!, $records: Boolean!, $payments: Boolean!';

/** The fields selected of a payment. */
export const PAYMENT_FIELDS = `id
  amount
  paid_on: paidOn
  means
  reference
  created_at: createdAt` as const;

/** What a document selects for them on each invoice. */
export const EXPANSION_FIELDS = `notes @include(if: $notes)
  rectification_reason: rectificationReason @include(if: $rectification)
  family @include(if: $rectification) {
    head {
      invoice_id: id
    }
    in_force_total: inForceTotal
    creditable_remainder: creditableRemainder
  }
  exchanges @include(if: $exchange) {
    invoice_id: id
  }
  exchanged_by: exchangedBy @include(if: $exchange) {
    invoice_id: id
  }
  records @include(if: $records) {
    id
    kind
    status
    hash
    previous_hash: previousHash
    generated_at: generatedAt
    xml
    receipt
    settled_at: settledAt
    error {
      code
      message
    }
  }
  payments(first: 100) @include(if: $payments) {
    edges {
      node {
        ${PAYMENT_FIELDS}
      }
    }
  }` as const;

/** An invoice as such a document returns it: fields that were not requested are absent. */
export type Expandable = {
  readonly kind: string;
  readonly notes?: string | null | undefined;
  readonly rectification_reason?: string | null | undefined;
  readonly family?:
    | {
        readonly head: object;
        readonly in_force_total: number | null;
        readonly creditable_remainder: number | null;
      }
    | undefined;
  readonly exchanges?: readonly object[] | undefined;
  readonly exchanged_by?: object | null | undefined;
  readonly records?: readonly object[] | undefined;
  readonly payments?: { readonly edges: readonly { readonly node: object }[] } | undefined;
};

const METHODS: Readonly<Record<string, string>> = {
  rectifying_differences: 'differences',
  rectifying_substitution: 'substitution',
};

/** The variables that state which fields of a document are requested. */
export function includedBy(expansions: readonly Expansion[]): Record<Expansion, boolean> {
  const isRequested = (name: Expansion) => expansions.includes(name);
  return {
    notes: isRequested('notes'),
    rectification: isRequested('rectification'),
    exchange: isRequested('exchange'),
    records: isRequested('records'),
    payments: isRequested('payments'),
  };
}

/** The invoice with the requested additions, each under its own name. */
export function withExpansions<Invoice extends Expandable>(found: Invoice, expansions: readonly Expansion[]) {
  const { rectification_reason: reason = null, family, exchanges, exchanged_by, ...invoice } = found;
  const parts: Record<Expansion, () => object | string | null> = {
    notes: () => found.notes ?? null,
    rectification: () => ({ method: METHODS[found.kind] ?? null, reason, ...family }),
    exchange: () => ({ exchanges, exchanged_by }),
    records: () => found.records ?? [],
    payments: () => found.payments?.edges.map(({ node }) => node) ?? [],
  };
  const added = expansions.map((name) => [name, parts[name]()] as const);
  return { ...invoice, ...Object.fromEntries(added) };
}
