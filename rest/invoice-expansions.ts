/**
 * What `expand[]` adds to an invoice (docs/contract.md#invoices): fields that GraphQL has and the contract's object does
 * not.
 */
export const EXPANSIONS = ['notes', 'rectification', 'exchange', 'records', 'payments'] as const;
export type Expansion = (typeof EXPANSIONS)[number];
