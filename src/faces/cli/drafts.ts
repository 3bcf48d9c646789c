import type { InvoiceDraft, InvoiceDraftRequest } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { snakeKeys, snakePath } from '../../ground/lib/case.ts';
import { readScope } from '../../subjects/accounts/store/read-callers.ts';
import { findDraft, removeDraft } from '../../subjects/drafts/drafts.ts';
import { issueDraft } from '../../subjects/drafts/issue-draft.ts';
import type { Draft } from '../../subjects/drafts/shapes.ts';
import { listDrafts } from '../../subjects/drafts/store/read-drafts.ts';
import { DRAFT_STATUSES } from '../../subjects/drafts/types.ts';
import { createInvoiceReader } from '../../subjects/invoices/reader.ts';
import { type CliRuntime, commandGroup, standaloneCommand } from './command.ts';
import { CommandFailure } from './exit-status.ts';
import {
  changeLocalOrRemote,
  LOCAL_OR_REMOTE,
  LOCAL_OR_REMOTE_CHANGE,
  LOCAL_OR_REMOTE_CHANGE_MEANING,
  LOCAL_OR_REMOTE_MEANING,
  readLocalOrRemote,
} from './local-or-remote.ts';
import { choiceOption, flagOption, integerOption, operand, optionalOption } from './options.ts';
import { collectUpTo } from './remote/lists.ts';
import { PROFILE } from './remote/login.ts';
import { remoteOf } from './remote/profiles.ts';
import { FILE, liveConfirmationMissing, readRequestFile } from './remote/request-file.ts';
import { withServices } from './with-services.ts';

const DRAFT = operand('the id of the draft');

export function drafts(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'drafts', 'invoices not issued yet');
  creating(group, runtime);
  reading(group, runtime);
  standaloneCommand(group, runtime, {
    name: 'issue',
    description: 'issues a draft',
    details: `Issues a draft, once: repeating it returns the same invoice. ${LOCAL_OR_REMOTE_CHANGE_MEANING}`,
    parameters: { draft: DRAFT, ...LOCAL_OR_REMOTE_CHANGE },
    examples: [
      ['Over REST', 'drafts issue $DRAFT'],
      ['On the database', 'drafts issue $OPENDRAFT --environment $ENVIRONMENT --reason "the merchant asked"'],
    ],
    run: (standalone, { draft, ...values }) =>
      changeLocalOrRemote(standalone, values, `issue the draft ${draft}`, {
        async remote({ invoiceDrafts }) {
          const { id: invoiceId, number, total } = await invoiceDrafts.issue(draft);
          return { draftId: draft, invoiceId, number, total };
        },
        local: (context, environmentId, by) =>
          withServices(context, async (services) => {
            const scope = await readScope(services.db.pool, environmentId);
            const issued = await issueDraft(services, scope, draft, { sign: () => '', by });
            if (isRefusal(issued)) return issued;
            const invoiceId = 'invoiceId' in issued ? issued.invoiceId : issued.stored.invoice.id;
            const { invoice } = (await createInvoiceReader(services.db)(environmentId, invoiceId))!;
            return { draftId: draft, invoiceId, number: invoice.number, total: invoice.total };
          }),
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'delete',
    description: 'deletes a draft that has not been issued',
    details: `Deletes a draft that has not been issued. ${LOCAL_OR_REMOTE_CHANGE_MEANING}`,
    parameters: { draft: DRAFT, ...LOCAL_OR_REMOTE_CHANGE },
    examples: [['Over REST', 'drafts delete $DRAFT']],
    run: (standalone, { draft, ...values }) =>
      changeLocalOrRemote(standalone, values, `delete the draft ${draft}`, {
        async remote({ invoiceDrafts }) {
          await invoiceDrafts.delete(draft);
          return { deleted: draft };
        },
        async local({ db }, environmentId, by) {
          const removed = await removeDraft(db, environmentId, draft, by);
          return isRefusal(removed) ? removed : { deleted: removed.id };
        },
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

function reading(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'list',
    description: 'lists the drafts of an environment, newest first',
    details: `Lists drafts, newest first. ${LOCAL_OR_REMOTE_MEANING}`,
    parameters: {
      ...LOCAL_OR_REMOTE,
      status: choiceOption(DRAFT_STATUSES, 'open or issued'),
      schedule: optionalOption('sch_…', 'created by this schedule'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 50 }),
    },
    examples: [
      ['Open drafts', 'drafts list --status open'],
      ['Drafts of an environment, from the database', 'drafts list --environment $ENVIRONMENT --json'],
    ],
    run: (standalone, { status, schedule, limit, ...values }) =>
      readLocalOrRemote(standalone, values, {
        async remote({ invoiceDrafts }) {
          const filter = { ...(status && { status }), ...(schedule && { schedule_id: schedule }) };
          const list = invoiceDrafts.list({ ...filter, limit: Math.min(100, limit) });
          const { rows, hasMore } = await collectUpTo(limit, list);
          return { drafts: rows.map(summary), hasMore };
        },
        async local({ db }, environmentId) {
          const range = { status, scheduleId: schedule, size: limit };
          const page = await listDrafts(db, environmentId, range);
          return { drafts: page.rows.map(asOverRest).map(summary), hasMore: page.hasMore };
        },
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'get',
    description: 'reads a draft with its errors',
    details: `Reads a draft with its errors. ${LOCAL_OR_REMOTE_MEANING}`,
    parameters: { draft: DRAFT, ...LOCAL_OR_REMOTE },
    examples: [['As JSON', 'drafts get $DRAFT --json']],
    run: (standalone, { draft, ...values }) =>
      readLocalOrRemote(standalone, values, {
        remote: async ({ invoiceDrafts }) => shown(await invoiceDrafts.retrieve(draft)),
        async local({ db }, environmentId) {
          const found = await findDraft(db, environmentId, draft);
          return isRefusal(found) ? found : shown(asOverRest(found));
        },
      }),
  });
}

/** A draft of the database as REST answers it. */
function asOverRest({ content, amounts, version, ...draft }: Draft): InvoiceDraft {
  const { dueInDays, scheduleId, periodOn, failure, invoiceId, createdAt, updatedAt, ...rest } = draft;
  return {
    ...rest,
    invoice: snakeKeys(content) as InvoiceDraft['invoice'],
    due_in_days: dueInDays,
    errors: draft.errors.map(({ field, ...fault }) => ({ ...fault, field: field && snakePath(field) })),
    ...{ subtotal: amounts?.subtotal ?? null, tax: amounts?.tax ?? null, total: amounts?.total ?? null },
    ...{ schedule_id: scheduleId, period: periodOn, invoice_id: invoiceId },
    failure: failure as InvoiceDraft['failure'],
    ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
  };
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
