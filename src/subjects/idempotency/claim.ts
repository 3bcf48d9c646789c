/**
 * The operations with idempotency keys. A key is scoped to its environment, whatever the operation
 * (docs/contract.md#idempotency).
 */
export type KeyedOperation =
  | 'issue_invoice'
  | 'exchange_invoices'
  | 'return_on_exchange'
  | 'replace_exchange'
  | 'void_invoice'
  | 'create_number_series'
  | 'create_invoice_batch'
  | 'send_invoice'
  | 'record_payment'
  | 'record_recipient_status';

/**
 * A key claimed by one request; nobody else can use it until the claim is settled. `token` distinguishes this claim
 * from any other on the same key: a request whose process was presumed dead, and whose claim was therefore taken
 * over, cannot commit.
 */
export type Claim = { readonly environmentId: number; readonly key: string; readonly token: string };
