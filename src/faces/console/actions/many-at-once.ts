import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { Action, ActionField, Entries, OperatorContext } from '../page.ts';
import { stored } from '../query.ts';
import { given, type Said, said, say, type Text } from '../words.ts';

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

/** What is said afterwards. */
export function outcomeOfMany(
  { matching, changed, again }: BulkChange,
  dryRun: boolean,
  done: Changed,
): Said {
  if (dryRun) return said('{count} match. Nothing was changed.', { count: matching });
  const changes = say(done, { count: changed });
  return given(again ? `${changes} ${say('Others match: do it again.')}` : changes);
}

/** The texts that say how many were changed. */
type Changed =
  | '{count} are delivered again.'
  | '{count} chains send again as soon as the agency’s waiting time allows.'
  | '{count} jobs run as soon as a worker is free.'
  | '{count} records are pending again.';

type Which = {
  readonly cause: string | null;
  readonly companyId: string | null;
  readonly dryRun: boolean;
  readonly reason: string;
};

type ManyAction = {
  readonly change: (context: OperatorContext, which: Which) => Promise<Outcome<BulkChange>>;
  readonly title: Text;
  readonly lead: Text;
  readonly cause: Text;
  readonly submit: Text;
  readonly done: Changed;
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
  done: '{count} chains send again as soon as the agency’s waiting time allows.',
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
  done: '{count} records are pending again.',
});
