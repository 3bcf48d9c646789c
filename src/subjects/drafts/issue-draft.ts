import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import type { StoredInvoice } from '../invoices/rows.ts';
import { type Check, type Issued, type IssuingServices, issueInvoice } from '../issuing/issue-invoice.ts';
import type { InvoiceRequest } from '../issuing/request.ts';
import { rulesOf } from '../rectifying/rules-of.ts';
import { requestOf, withFieldNames } from './check-draft.ts';
import { draftChanged, findDraft, issuedDraft, unknownDraft } from './drafts.ts';
import type { Draft } from './shapes.ts';
import { lockDraft, markIssued } from './store/drafts.ts';

/** The invoice that an earlier request issued from the draft. */
export type AlreadyIssued = { readonly invoiceId: string };

type Issuing = {
  readonly sign: (stored: StoredInvoice) => string;
  /** The operator who does it, recorded with the reason. */
  readonly by: ActorAndReason | null;
};

/**
 * Issues a draft, with the checks and codes of `issueInvoice` as of now. A draft has one invoice: issuing it again,
 * or concurrently, returns the existing one. Additional codes: `invoice_draft_not_found`, and
 * `invoice_draft_changed` when it was changed while it was being checked.
 */
export async function issueDraft(
  services: IssuingServices,
  scope: Scope,
  id: string,
  { sign, by }: Issuing,
): Promise<Outcome<Issued | AlreadyIssued>> {
  const { environmentId } = scope;
  const draft = await findDraft(services.db, environmentId, id);
  if (isRefusal(draft)) return draft;
  if (draft.invoiceId !== null) return { invoiceId: draft.invoiceId };
  const request = requestOf(scope, draft);
  if (isRefusal(request)) return request;
  const check = checkDraft(environmentId, draft, request, by);
  const { outcome } = await issueInvoice(services, scope, request, { key: null, sent: null, sign, check });
  if (!isRefusal(outcome)) return outcome;
  // A concurrent request may have issued the same draft, and its external_id may be the reason for this refusal.
  const now = await findDraft(services.db, environmentId, id);
  if (!isRefusal(now) && now.invoiceId !== null) return { invoiceId: now.invoiceId };
  return withFieldNames(request, outcome);
}

/** The rules of the draft's invoice, which is committed in one transaction with its draft. */
function checkDraft(
  environmentId: number,
  { id, version }: Draft,
  request: InvoiceRequest,
  by: ActorAndReason | null,
): Check {
  const rules = rulesOf(request);
  return async (sources, scope, request) => {
    const checked = await rules(sources, scope, request);
    if (isRefusal(checked)) return checked;
    return {
      ...checked,
      draftId: id,
      // Locked until the end of the transaction, after the chain: of two concurrent requests the second finds it
      // issued.
      recheck: async (client) => {
        const now = await lockDraft(client, environmentId, id);
        if (now === null) return unknownDraft();
        if (now.status === 'issued') return issuedDraft();
        if (now.version !== version) return draftChanged();
        return (await checked.recheck?.(client)) ?? null;
      },
      alsoWrite: async (client, stored) => {
        await checked.alsoWrite?.(client, stored);
        await markIssued(client, environmentId, id, clock.now());
        if (by === null) return;
        const details = { invoiceId: stored.invoice.id };
        await addAuditEntry(client, {
          ...by,
          action: 'issue_invoice_draft',
          subject: id,
          environmentId,
          details,
        });
      },
    };
  };
}
