import type { InvoiceDraft } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { snakeKeys, snakePath } from '../../ground/lib/case.ts';
import { readScope } from '../../subjects/accounts/store/read-callers.ts';
import { findDraft, removeDraft } from '../../subjects/drafts/drafts.ts';
import { issueDraft } from '../../subjects/drafts/issue-draft.ts';
import type { Draft } from '../../subjects/drafts/shapes.ts';
import { listDrafts } from '../../subjects/drafts/store/read-drafts.ts';
import type { DraftStatus } from '../../subjects/drafts/types.ts';
import { createInvoiceReader } from '../../subjects/invoices/reader.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { localOrRemote } from './local-or-remote.ts';
import { contractCommands } from './remote/contract.ts';
import type { Locals } from './remote/place.ts';
import { withServices } from './with-services.ts';

type OfDraft = { readonly id: string };
type Listing = { readonly status?: DraftStatus; readonly schedule_id?: string; readonly limit: number };

const LOCAL: Locals = {
  reads: {
    async listInvoiceDrafts(
      { db },
      environmentId,
      { status, schedule_id: scheduleId, limit: size }: Listing,
    ) {
      const { rows, hasMore } = await listDrafts(db, environmentId, { status, scheduleId, size });
      return { rows: rows.map(asOverRest), hasMore };
    },
    async retrieveInvoiceDraft({ db }, environmentId, { id }: OfDraft) {
      const found = await findDraft(db, environmentId, id);
      return isRefusal(found) ? found : asOverRest(found);
    },
  },
  changes: {
    issueInvoiceDraft: (context, environmentId, { id }: OfDraft, by) =>
      withServices(context, async (services) => {
        const scope = await readScope(services.db.pool, environmentId);
        const issued = await issueDraft(services, scope, id, { sign: () => '', by });
        if (isRefusal(issued)) return issued;
        const invoiceId = 'invoiceId' in issued ? issued.invoiceId : issued.stored.invoice.id;
        return (await createInvoiceReader(services.db)(environmentId, invoiceId))!.invoice;
      }),
    deleteInvoiceDraft: ({ db }, environmentId, { id }: OfDraft, by) =>
      removeDraft(db, environmentId, id, by),
  },
};

export function drafts(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'drafts', 'invoices not issued yet');
  contractCommands(group, runtime, localOrRemote(LOCAL));
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
