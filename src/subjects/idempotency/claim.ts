/** The operations that take a key. A key is scoped to its environment, whatever the operation (docs/contract.md#idempotency). */
export type KeyedOperation =
  | 'issue_invoice'
  | 'create_number_series'
  | 'create_invoice_batch'
  | 'send_invoice'
  | 'record_payment'
  | 'record_recipient_status';

/**
 * A key that one request has taken and nobody else can use until it is settled. `token` tells this claim from any other
 * on the same key: a request whose process was taken for dead, and whose claim was therefore taken over, cannot commit.
 */
export type Claim = { readonly environmentId: number; readonly key: string; readonly token: string };
