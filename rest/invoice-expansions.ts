import type { Expanded } from '../src/faces/graphql/invoice-operations.ts';

/**
 * What `expand[]` adds to an invoice (docs/contract.md#invoices): fields that GraphQL has and the contract's object does
 * not.
 */
export const EXPANSIONS = ['notes', 'rectification', 'exchange', 'records', 'payments'] as const;
export type Expansion = (typeof EXPANSIONS)[number];

/** What is to be read for them beside the invoice. */
export function expandedBy(expansions: readonly Expansion[] = []): Expanded {
  return {
    records: expansions.includes('records'),
    family: expansions.includes('rectification'),
    payments: expansions.includes('payments'),
  };
}
