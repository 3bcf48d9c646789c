import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { Action, ActionField, Entries, OperatorContext } from '../page.ts';
import { stored } from '../query.ts';

/** What an operation on all that match answered. */
type BulkChange = { readonly matching: number; readonly changed: number; readonly again: boolean };

/** The field of every form that works on all that match. */
export const ONLY_COUNT: ActionField = {
  name: 'dryRun',
  label: 'Only count them',
  hint: 'Says how many match, and changes nothing.',
  kind: 'tick',
};

export const isDryRun = (entries: Entries): boolean => entries('dryRun') === 'yes';

/** What is said afterwards; `done` follows the number of those that were changed. */
export function outcomeOfMany(
  { matching, changed, again }: BulkChange,
  dryRun: boolean,
  done: string,
): string {
  if (dryRun) return `${matching} match. Nothing was changed.`;
  return `${changed} ${done}${again ? ' Others match: do it again.' : ''}`;
}

type Which = {
  readonly cause: string | null;
  readonly companyId: string | null;
  readonly dryRun: boolean;
  readonly reason: string;
};

type ManyAction = {
  readonly change: (context: OperatorContext, which: Which) => Promise<Outcome<BulkChange>>;
  readonly title: string;
  readonly lead: string;
  readonly cause: string;
  readonly submit: string;
  readonly done: string;
};

function onMany({ change, title, lead, cause, submit, done }: ManyAction): Action {
  return {
    async prepare({ query }) {
      return {
        ...{ title, lead, submit, back: '/failures' },
        fields: [
          { name: 'cause', label: cause, value: query('cause'), max: 500, optional: true },
          { name: 'companyId', label: 'Company', hint: 'Its id, co_…', max: 100, optional: true },
          ONLY_COUNT,
        ],
      };
    },
    async perform(context, entries) {
      const dryRun = isDryRun(entries);
      const changed = await change(context, {
        ...{ cause: entries('cause') || null, companyId: entries('companyId') || null },
        ...{ dryRun, reason: entries('reason') },
      });
      return isRefusal(changed) ? changed : { flash: outcomeOfMany(changed, dryRun, done) };
    },
  };
}

const RETRY = stored(
  `mutation ConsoleRetryChains($cause: String, $companyId: ID, $dryRun: Boolean!, $reason: String!) {
    retryChains(cause: $cause, companyId: $companyId, dryRun: $dryRun, reason: $reason) { matching changed again }
  }`,
);

export const retryChains = onMany({
  async change(context, which) {
    const done = await RETRY(context, which);
    return isRefusal(done) ? done : done.retryChains;
  },
  title: 'Retry all chains that match',
  lead: 'All live chains that failed or stopped and match what is filled in here send again as soon as the agency’s waiting time allows. What is left empty excludes none.',
  cause: 'Stopped because of',
  submit: 'Retry them',
  done: 'chains send again as soon as the agency’s waiting time allows.',
});

const UNPARK = stored(
  `mutation ConsoleUnparkRecords($cause: String, $companyId: ID, $dryRun: Boolean!, $reason: String!) {
    unparkRecords(cause: $cause, companyId: $companyId, dryRun: $dryRun, reason: $reason) { matching changed again }
  }`,
);

export const unparkRecords = onMany({
  async change(context, which) {
    const done = await UNPARK(context, which);
    return isRefusal(done) ? done : done.unparkRecords;
  },
  title: 'Unpark all records that match',
  lead: 'All parked records that match what is filled in here are sent with the others of their chains, in order. What is left empty excludes none.',
  cause: 'Parked because of',
  submit: 'Unpark them',
  done: 'records are pending again.',
});
