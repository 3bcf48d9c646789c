import type { Queryable } from '../../ground/db/queryable.ts';
import { type Day, plusDays } from '../../ground/lib/calendar.ts';
import type { JournalFault, JournalFinding } from './finding.ts';
import { wronglyCorrected } from './store/corrected-invoices.ts';
import { differingDays, nextDayWithSums } from './store/day-totals.ts';
import { FIRST_INVOICE, type InvoicePlace, wrongTexts } from './store/invoice-texts.ts';
import { wronglyListed } from './store/listed-states.ts';
import { accountsAfter, withoutAccount } from './store/payment-accounts.ts';
import { missingNames } from './store/recipient-names.ts';

type Check = {
  readonly batch: number;
  readonly add: (finding: JournalFinding) => void;
  readonly isOver: () => boolean;
};

/**
 * Computes again from the sealed rows what the service stores so that lists and totals need not read all of them, and
 * what no entry covers: payment accounts, sums of days and of their payments, sort keys of lists, names. Memory is bounded by one
 * batch.
 */
export async function verifyDerived(client: Queryable, environmentId: number, check: Check): Promise<void> {
  await verifyAccounts(client, environmentId, check);
  await verifyDayTotals(client, environmentId, check);
  if (check.isOver()) return;
  for (const { id, expected, found } of await wronglyCorrected(client, environmentId))
    check.add(finding('corrected_invoice', id, expected, found));
  if (check.isOver()) return;
  for (const { id, name } of await missingNames(client, environmentId))
    check.add(finding('recipient_name', id, name, null));
  if (check.isOver()) return;
  await verifyTexts(client, environmentId, check);
  if (check.isOver()) return;
  for (const { recordId, expected, found } of await wronglyListed(client, environmentId))
    check.add({ ...finding('listed_at', null, expected, found), recordId });
}

function finding(
  what: JournalFault,
  subjectId: string | null,
  expected: string | null,
  found: string | null,
): JournalFinding {
  return { what, position: null, subjectId, recordId: null, expected, found };
}

async function verifyAccounts(client: Queryable, environmentId: number, check: Check): Promise<void> {
  for (let root = ''; !check.isOver(); ) {
    const accounts = await accountsAfter(client, environmentId, root, check.batch);
    for (const { rootId, expected, found } of accounts) {
      root = rootId;
      if (found !== expected) check.add(finding('payment_account', rootId, expected, found));
    }
    if (accounts.length < check.batch) break;
  }
  for (const id of await withoutAccount(client, environmentId))
    check.add(finding('payment_account', id, null, null));
}

async function verifyTexts(client: Queryable, environmentId: number, check: Check): Promise<void> {
  for (let after: InvoicePlace | null = FIRST_INVOICE; after !== null && !check.isOver(); ) {
    const { wrong, last } = await wrongTexts(client, environmentId, after, check.batch);
    for (const id of wrong) check.add(finding('invoice_text', id, null, null));
    after = last;
  }
}

/** Few, so that a verification that is stopped ends soon even where much was issued. */
const DAYS_AT_ONCE = 7;
const FIRST_DAY: Day = '0001-01-01';

async function verifyDayTotals(client: Queryable, environmentId: number, check: Check): Promise<void> {
  const next = (from: Day) => nextDayWithSums(client, environmentId, from);
  for (let from = await next(FIRST_DAY); from !== null && !check.isOver(); ) {
    const before = plusDays(from, DAYS_AT_ONCE);
    for (const { day, seriesId, kind, expected, found } of await differingDays(client, environmentId, {
      from,
      before,
    }))
      check.add(finding('day_total', `${day} ${seriesId} ${kind}`, expected, found));
    from = await next(before);
  }
}
