import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import type { CheckSources } from '../issuing/check-invoice.ts';
import { checkDraft } from './check-draft.ts';
import { type DraftChange, type DraftRequest, isDraftId } from './draft-request.ts';
import { hasDueDay } from './due-day.ts';
import { DRAFT_LIMITS } from './limits.ts';
import type { Draft } from './shapes.ts';
import { deleteDraft, insertDraft, lockDraft, updateDraft } from './store/drafts.ts';
import { readDraft } from './store/read-drafts.ts';

export const unknownDraft = (): Refusal =>
  new Refusal('invoice_draft_not_found', 'No invoice draft of this id exists in the environment.');

export const issuedDraft = (): Refusal =>
  new Refusal('invoice_draft_already_issued', 'The draft was issued; correct the invoice instead.');

/** One draft of the environment; refuses with `invoice_draft_not_found`. */
export async function findDraft(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
): Promise<Outcome<Draft>> {
  const found = isDraftId(id) ? await readDraft(db.pool, environmentId, id) : null;
  return found ?? unknownDraft();
}

/**
 * Stores an invoice that is to be issued later, with the refusals that it would get now.
 * `invoice_draft_limit_reached` when the environment has the maximum of open drafts.
 */
export async function createDraft(
  sources: CheckSources,
  scope: Scope,
  { invoice, dueInDays }: DraftRequest,
): Promise<Outcome<Draft>> {
  const values = { content: { ...invoice }, dueInDays: dueInDays ?? null };
  const checked = await checkDraft(sources, scope, values);
  const now = clock.now();
  const draft: Draft = {
    ...{ id: newId('dft'), ...values, ...checked, status: 'open', version: 1 },
    ...{ scheduleId: null, periodOn: null, failure: null, invoiceId: null, createdAt: now, updatedAt: now },
  };
  const isStored = await insertDraft(
    sources.db.pool,
    scope.environmentId,
    draft,
    DRAFT_LIMITS.openDrafts.value,
  );
  if (isStored) return draft;
  const detail = `An environment has at most ${DRAFT_LIMITS.openDrafts.value} open drafts.`;
  return new Refusal('invoice_draft_limit_reached', detail);
}

/**
 * Changes a draft that is not issued; a field that is not sent stays unchanged. It is validated again as when it
 * was created. `expectedUpdatedAt`: when the caller knows it to have been changed last. `invoice_draft_not_found`,
 * `invoice_draft_already_issued`, `conflict` when it was changed since the caller read it, and `invoice_draft_changed` when a
 * concurrent request was faster than one that does not say what it read.
 */
export async function changeDraft(
  sources: CheckSources,
  scope: Scope,
  id: string,
  { invoice, dueInDays }: DraftChange,
  expectedUpdatedAt: Date | null,
): Promise<Outcome<Draft>> {
  const { environmentId } = scope;
  const before = await findDraft(sources.db, environmentId, id);
  if (isRefusal(before)) return before;
  if (before.status === 'issued') return issuedDraft();
  if (expectedUpdatedAt !== null && before.updatedAt.getTime() !== expectedUpdatedAt.getTime())
    return changedSince();
  const draft = {
    content: invoice === undefined ? before.content : { ...invoice },
    dueInDays: dueInDays === undefined ? before.dueInDays : dueInDays,
  };
  if (draft.dueInDays !== null && hasDueDay(draft.content)) {
    return invalidField('dueInDays', 'not_supported', 'is not supported together with a day of the invoice');
  }
  const checked = await checkDraft(sources, scope, draft);
  return inTransaction<Outcome<Draft>>(sources.db.pool, async (client) => {
    const now = await lockDraft(client, environmentId, id);
    if (now === null) return unknownDraft();
    if (now.status === 'issued') return issuedDraft();
    if (now.version !== before.version) return expectedUpdatedAt === null ? draftChanged() : changedSince();
    const changed: Draft = {
      ...now,
      ...draft,
      ...checked,
      version: now.version + 1,
      // No two states of a draft have the same time, by which callers tell them apart.
      updatedAt: new Date(Math.max(clock.now().getTime(), now.updatedAt.getTime() + 1)),
    };
    await updateDraft(client, environmentId, changed);
    return changed;
  });
}

const changedSince = (): Refusal =>
  new Refusal('conflict', 'The draft was changed since it was read; nothing was done.');

export const draftChanged = (): Refusal =>
  new Refusal('invoice_draft_changed', 'The draft was changed meanwhile; nothing was done.');

/**
 * Deletes a draft that is not issued and returns its last state. `by`: the operator who does it, recorded with the
 * reason.
 */
export async function removeDraft(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  by: ActorAndReason | null,
): Promise<Outcome<Draft>> {
  if (!isDraftId(id)) return unknownDraft();
  return inTransaction<Outcome<Draft>>(db.pool, async (client) => {
    const draft = await lockDraft(client, environmentId, id);
    if (draft === null) return unknownDraft();
    if (draft.status === 'issued') return issuedDraft();
    await deleteDraft(client, environmentId, id);
    if (by !== null) {
      await addAuditEntry(client, { ...by, action: 'delete_invoice_draft', subject: id, environmentId });
    }
    return draft;
  });
}
