import type { Queryable } from '../../ground/db/queryable.ts';
import { type Day, firstOfMonth, plusDays } from '../../ground/lib/calendar.ts';
import type { JournalFault, JournalFinding } from './finding.ts';
import { wronglyCorrected, wronglyDeducted } from './store/corrected-invoices.ts';
import {
  type Days,
  differingDays,
  differingPart,
  differingPayments,
  differingRecipients,
  differingRecipientsOfPart,
  type EndOfSums,
  endOfSums,
  nextDayWithSums,
} from './store/day-totals.ts';
import { wronglyListed } from './store/listed-states.ts';
import { differingMonths, differingRecipientMonths } from './store/month-totals.ts';
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
  const deducted = new Set<string>();
  for (const mark of ['deducted', 'deducted_by_recipient'] as const)
    for (const id of await wronglyDeducted(client, environmentId, mark)) deducted.add(id);
  for (const id of deducted) check.add(finding('day_total', id, 'in force', 'deducted'));
  if (check.isOver()) return;
  for (const { id, name } of await missingNames(client, environmentId))
    check.add(finding('recipient_name', id, name, null));
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

/** Few, so that a verification that is stopped ends soon even where much was issued. */
const DAYS_AT_ONCE = 7;
const FIRST_DAY: Day = '0001-01-01';

async function verifyDayTotals(client: Queryable, environmentId: number, check: Check): Promise<void> {
  const end = await endOfSums(client, environmentId);
  if (end === null) return;
  verifyEnds(end, check);
  const compared = [
    { differing: differingDays, end: end.before },
    { differing: differingRecipients, end: end.recipientsBefore },
    { differing: differingPayments, end: end.paymentsBefore },
  ];
  const next = (from: Day) => nextDayWithSums(client, environmentId, { from, before: end.before });
  const compare = async (differing: typeof differingDays, days: Days) => {
    for (const { day, seriesId, kind, expected, found } of await differing(client, environmentId, days))
      check.add(finding('day_total', `${day} ${seriesId} ${kind}`, expected, found));
  };
  for (let from = await next(FIRST_DAY); from !== null && !check.isOver(); ) {
    const later = plusDays(from, DAYS_AT_ONCE);
    const until = later < end.before ? later : end.before;
    for (const { differing, end: known } of compared) {
      if (known === null || from >= known) continue;
      await compare(differing, { from, before: known < until ? known : until });
    }
    from = await next(until);
  }
  const ofDay = (from: Day) => ({ from, before: plusDays(from, 1) });
  if (end.until !== null) await compare(differingPart, ofDay(end.before));
  if (end.recipientsUntil !== null && end.recipientsBefore !== null)
    await compare(differingRecipientsOfPart, ofDay(end.recipientsBefore));
  for (const { differing, before } of [
    { differing: differingMonths, before: end.monthsBefore },
    { differing: differingRecipientMonths, before: end.recipientMonthsBefore },
  ])
    for (let day = before && (await next(FIRST_DAY)); day && before && day < before && !check.isOver(); ) {
      const following = firstOfMonth(plusDays(firstOfMonth(day), 31));
      await compare(differing, {
        from: firstOfMonth(day),
        before: following < before ? following : before,
      });
      day = await next(following);
    }
}

/** What counts as added up is issued by then, and is added up of days before it is of anything else. */
function verifyEnds(end: EndOfSums, check: Check): void {
  const { before, recipientsBefore, most, mostUntil } = end;
  const mustReach = (found: Day | null, expected: Day | null) => {
    if (found !== null && (expected === null || found > expected))
      check.add(finding('day_total', null, expected, found));
  };
  mustReach(before, most);
  for (const day of [end.paymentsBefore, recipientsBefore, end.monthsBefore]) mustReach(day, before);
  mustReach(end.recipientMonthsBefore, recipientsBefore);
  for (const until of [end.until, end.recipientsUntil])
    mustReach(until?.toISOString() ?? null, mostUntil?.toISOString() ?? null);
}
