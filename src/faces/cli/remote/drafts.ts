import type { InvoiceDraft, InvoiceDraftRequest } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../../ground/journal/audit-log.ts';
import { DRAFT_STATUSES, type DraftStatus } from '../../../subjects/drafts/types.ts';
import { type CliRuntime, type CommandContext, commandGroup, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import { choiceOption, flagOption, integerOption, operand, optionalOption } from '../options.ts';
import { collectUpTo } from './lists.ts';
import { PROFILE } from './login.ts';
import type { Place } from './place.ts';
import { remoteOf } from './profiles.ts';
import { FILE, liveConfirmationMissing, readRequestFile } from './request-file.ts';

/** The same on the database, as REST answers it. */
export type LocalDrafts = {
  issue(context: CommandContext, environmentId: number, draft: string, by: ActorAndReason): Promise<unknown>;
  remove(context: CommandContext, environmentId: number, draft: string, by: ActorAndReason): Promise<unknown>;
  list(
    context: CommandContext,
    environmentId: number,
    range: {
      readonly status: DraftStatus | undefined;
      readonly scheduleId: string | undefined;
      readonly size: number;
    },
  ): Promise<{ readonly rows: readonly InvoiceDraft[]; readonly hasMore: boolean }>;
  find(context: CommandContext, environmentId: number, draft: string): Promise<Outcome<InvoiceDraft>>;
};

const DRAFT = operand('the id of the draft');

export function draftCommands(program: Command, runtime: CliRuntime, place: Place<LocalDrafts>): void {
  const group = commandGroup(program, 'drafts', 'invoices not issued yet');
  creating(group, runtime);
  reading(group, runtime, place);
  standaloneCommand(group, runtime, {
    name: 'issue',
    description: 'issues a draft',
    details: `Issues a draft, once: repeating it returns the same invoice.${place.changingMeaning}`,
    parameters: { draft: DRAFT, ...place.changing },
    examples: place.examples([
      ['Over REST', 'drafts issue $DRAFT'],
      ['On the database', 'drafts issue $OPENDRAFT --environment $ENVIRONMENT --reason "the merchant asked"'],
    ]),
    run: (standalone, { draft, ...values }) =>
      place.change(standalone, values, `issue the draft ${draft}`, {
        async remote({ invoiceDrafts }) {
          const { id: invoiceId, number, total } = await invoiceDrafts.issue(draft);
          return { draftId: draft, invoiceId, number, total };
        },
        local: (local, context, environmentId, by) => local.issue(context, environmentId, draft, by),
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'delete',
    description: 'deletes a draft that has not been issued',
    details: `Deletes a draft that has not been issued.${place.changingMeaning}`,
    parameters: { draft: DRAFT, ...place.changing },
    examples: [['Over REST', 'drafts delete $DRAFT']],
    run: (standalone, { draft, ...values }) =>
      place.change(standalone, values, `delete the draft ${draft}`, {
        async remote({ invoiceDrafts }) {
          await invoiceDrafts.delete(draft);
          return { deleted: draft };
        },
        local: (local, context, environmentId, by) => local.remove(context, environmentId, draft, by),
      }),
  });
}

function creating(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'create',
    description: 'stores an invoice to be issued later, over REST',
    details:
      'Stores an invoice to be issued later, as POST /v1/invoice_drafts does, from a file with {"invoice": {…}} and the key of a login ("lacre login"). It may be incomplete: "errors" lists what is missing. With the key of a live environment --live is required.',
    parameters: { ...PROFILE, file: FILE, live: flagOption('confirms a live environment') },
    examples: [['A ticket', 'drafts create -f draft.json']],
    async run(context, { profile, file, live }) {
      const remote = remoteOf(context.profiles, profile);
      if (file === undefined) return new CommandFailure('usage', '--file is required');
      const body = await readRequestFile<InvoiceDraftRequest>(context, file);
      if (isRefusal(body)) return body;
      if (!live && remote.profile.environment === 'live')
        return liveConfirmationMissing(remote, 'store a draft');
      return shown(await remote.client.invoiceDrafts.create(body));
    },
  });
}

function reading(group: Command, runtime: CliRuntime, place: Place<LocalDrafts>): void {
  standaloneCommand(group, runtime, {
    name: 'list',
    description: 'lists the drafts of an environment, newest first',
    details: `Lists drafts, newest first.${place.readingMeaning}`,
    parameters: {
      ...place.reading,
      status: choiceOption(DRAFT_STATUSES, 'open or issued'),
      schedule: optionalOption('sch_…', 'created by this schedule'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 50 }),
    },
    examples: place.examples([
      ['Open drafts', 'drafts list --status open'],
      ['Drafts of an environment, from the database', 'drafts list --environment $ENVIRONMENT --json'],
    ]),
    run: (standalone, { status, schedule, limit, ...values }) =>
      place.read(standalone, values, {
        async remote({ invoiceDrafts }) {
          const filter = { ...(status && { status }), ...(schedule && { schedule_id: schedule }) };
          const list = invoiceDrafts.list({ ...filter, limit: Math.min(100, limit) });
          const { rows, hasMore } = await collectUpTo(limit, list);
          return { drafts: rows.map(summary), hasMore };
        },
        async local(local, context, environmentId) {
          const page = await local.list(context, environmentId, {
            status,
            scheduleId: schedule,
            size: limit,
          });
          return { drafts: page.rows.map(summary), hasMore: page.hasMore };
        },
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'get',
    description: 'reads a draft with its errors',
    details: `Reads a draft with its errors.${place.readingMeaning}`,
    parameters: { draft: DRAFT, ...place.reading },
    examples: [['As JSON', 'drafts get $DRAFT --json']],
    run: (standalone, { draft, ...values }) =>
      place.read(standalone, values, {
        remote: async ({ invoiceDrafts }) => shown(await invoiceDrafts.retrieve(draft)),
        async local(local, context, environmentId) {
          const found = await local.find(context, environmentId, draft);
          return isRefusal(found) ? found : shown(found);
        },
      }),
  });
}

function summary({ id, status, total, errors, ...draft }: InvoiceDraft): object {
  return {
    ...{ id, status, total, errors: errors.length, failure: draft.failure?.code ?? null },
    ...{ scheduleId: draft.schedule_id, period: draft.period, invoiceId: draft.invoice_id },
    createdAt: draft.created_at,
  };
}

/** The facts first, what is wrong with it below. */
function shown({ errors, ...facts }: InvoiceDraft): object {
  return { ...facts, errors };
}
