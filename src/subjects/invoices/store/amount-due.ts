import { payableOf } from '../../extensions/payable.ts';
import { NO_PAYMENT_TERMS } from '../rows.ts';
import { EACH_VOIDED, LIVE } from './force.ts';

/** What is due of invoices: of those that hold an account what it comes to, of the others what they are for. */

/**
 * An original without an account has a positive total and no payment. Invoices with a due day or means of payment
 * always have an account (`openAccountsOf`) and are excluded without a lookup. The account is looked up by its key:
 * with a join Postgres would read all of them.
 */
const withoutAccount = (live: string) => `rectifies_id is null and (imported or ${NO_PAYMENT_TERMS})
  and ${live} and (
  select account.root_id from payment_account account
   where account.environment_id = $1 and account.root_id = invoice.id) is null`;

export const WITHOUT_ACCOUNT = withoutAccount(LIVE('invoice.id'));
export const EACH_WITHOUT_ACCOUNT = withoutAccount(`not ${EACH_VOIDED('invoice.id')}`);

/** What is due of an invoice, looked up for each; null where nothing is to be paid. */
export const EACH_AMOUNT_DUE = `coalesce((
  select account.payable - account.paid from payment_account account
   where account.environment_id = $1 and account.holder_id = invoice.id),
  case when ${EACH_WITHOUT_ACCOUNT} then ${payableOf('invoice')} end)`;

const IS_TOTAL = 'withholding_amount is null and disbursed_amount is null';

/**
 * Where amounts are due, in disjoint sets of which an index has each in the order of the amount: rows of a table, the id of the
 * invoice, the amount, and the time of issue.
 */
export const SETS_OF_AMOUNTS_DUE = [
  {
    rows: 'payment_account where environment_id = $1 and holder_id is not null',
    ...{ id: 'holder_id', due: '(payable - paid)', at: 'listed_at', isOfInvoices: false },
  },
  {
    rows: `invoice where environment_id = $1 and ${IS_TOTAL} and ${EACH_WITHOUT_ACCOUNT}`,
    ...{ id: 'id', due: 'total', at: 'issued_at', isOfInvoices: true },
  },
  {
    rows: `invoice where environment_id = $1 and not (${IS_TOTAL}) and ${EACH_WITHOUT_ACCOUNT}`,
    ...{ id: 'id', due: payableOf('invoice'), at: 'issued_at', isOfInvoices: true },
  },
] as const;
