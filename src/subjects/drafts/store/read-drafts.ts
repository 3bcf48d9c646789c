import type { Db } from '../../../ground/db/client.ts';
import { given } from '../../../ground/db/filter.ts';
import { firstOf, type Page, pageOf } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRow } from '../../../ground/db/rows.ts';
import { dayOfColumn } from '../../../ground/lib/calendar.ts';
import { type Draft, draft } from '../shapes.ts';
import type { DraftStatus } from '../types.ts';

export const DRAFT_COLUMNS = `draft.id, draft.content, draft.due_in_days as "dueInDays", draft.status, draft.version, draft.errors,
  draft.amounts, draft.schedule_id as "scheduleId", draft.period_on::text as "periodOn", draft.failure,
  draft.created_at as "createdAt", draft.updated_at as "updatedAt"`;

const WITH_INVOICE = `${DRAFT_COLUMNS}, (select invoice.id from invoice
  where invoice.environment_id = $1 and invoice.draft_id = draft.id) as "invoiceId"`;

/** One draft with the invoice that was issued from it, or null. Takes no lock. */
export function readDraft(db: Queryable, environmentId: number, id: string): Promise<Draft | null> {
  const text = `select ${WITH_INVOICE} from invoice_draft draft where draft.environment_id = $1 and draft.id = $2`;
  return readRow(db, draft, { name: 'invoice-draft', text }, [environmentId, id]);
}

/** The newest drafts of an environment, of one status and one schedule or of all. */
export async function listDrafts(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
  { status, scheduleId, size }: DraftRange,
): Promise<Page<Draft>> {
  const rows = await prisma.invoiceDraft.findMany({
    where: { environmentId, ...given({ status, scheduleId }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    include: { invoices: { select: { id: true }, take: 1 } },
    take: size + 1,
  });
  const drafts = rows.map(({ invoices, periodOn, ...row }) =>
    draft.parse({ ...row, periodOn: periodOn && dayOfColumn(periodOn), invoiceId: invoices[0]?.id ?? null }),
  );
  return pageOf(drafts, firstOf(size, null));
}

type DraftRange = {
  readonly status: DraftStatus | undefined;
  readonly scheduleId: string | undefined;
  readonly size: number;
};
