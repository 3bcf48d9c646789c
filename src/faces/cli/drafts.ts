import type { InvoiceDraft } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { snakeKeys, snakePath } from '../../ground/lib/case.ts';
import { readScope } from '../../subjects/accounts/store/read-callers.ts';
import { findDraft, removeDraft } from '../../subjects/drafts/drafts.ts';
import { issueDraft } from '../../subjects/drafts/issue-draft.ts';
import type { Draft } from '../../subjects/drafts/shapes.ts';
import { listDrafts } from '../../subjects/drafts/store/read-drafts.ts';
import { createInvoiceReader } from '../../subjects/invoices/reader.ts';
import type { CliRuntime } from './command.ts';
import { localOrRemote } from './local-or-remote.ts';
import { draftCommands, type LocalDrafts } from './remote/drafts.ts';
import { withServices } from './with-services.ts';

const LOCAL: LocalDrafts = {
  issue: (context, environmentId, draft, by) =>
    withServices(context, async (services) => {
      const scope = await readScope(services.db.pool, environmentId);
      const issued = await issueDraft(services, scope, draft, { sign: () => '', by });
      if (isRefusal(issued)) return issued;
      const invoiceId = 'invoiceId' in issued ? issued.invoiceId : issued.stored.invoice.id;
      const { invoice } = (await createInvoiceReader(services.db)(environmentId, invoiceId))!;
      return { draftId: draft, invoiceId, number: invoice.number, total: invoice.total };
    }),
  async remove({ db }, environmentId, draft, by) {
    const removed = await removeDraft(db, environmentId, draft, by);
    return isRefusal(removed) ? removed : { deleted: removed.id };
  },
  async list({ db }, environmentId, range) {
    const { rows, hasMore } = await listDrafts(db, environmentId, range);
    return { rows: rows.map(asOverRest), hasMore };
  },
  async find({ db }, environmentId, draft) {
    const found = await findDraft(db, environmentId, draft);
    return isRefusal(found) ? found : asOverRest(found);
  },
};

export function drafts(program: Command, runtime: CliRuntime): void {
  draftCommands(program, runtime, localOrRemote(LOCAL));
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
