import type { Queryable } from '../../ground/db/queryable.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { readScope } from '../accounts/store/read-callers.ts';
import { appendRecord, withLockedTail } from '../chain/append-record.ts';
import { prepareRegistration } from '../chain/record-xml.ts';
import { chainNotOpen, type RecordRow } from '../chain/tail.ts';
import { declaredSoftware } from '../issuing/prepare-invoice.ts';
import { fiscalName } from '../recipients/recipient.ts';
import {
  type AmendedContent,
  type AmendmentRequest,
  type AmendmentSources,
  amendedContent,
} from './amended-content.ts';
import { type Family, target } from './family.ts';
import { amendedEntries } from './journal-entries.ts';
import { withNextStep } from './next-step.ts';
import { type AmendmentFlags, amendmentFlags, type RecordFacts } from './record-flags.ts';
import { type Corrected, loadCorrected } from './store/read-families.ts';
import {
  type Declaration,
  environmentOfInvoice,
  loadNewestDeclaration,
  loadRecords,
  storeAmendment,
} from './store.ts';
import type { AddedRecord, AppendingServices } from './void-invoice.ts';
import type { Corrector } from './who-may-correct.ts';

/**
 * Corrects the declaration of an invoice, whether the agency accepted, flagged or rejected its record: a new record at
 * the end of the chain with the whole content. The invoice, its document and the old record stay unchanged. What was
 * rejected or flagged may be sent again as it is; of what was accepted without errors something must change. Not a
 * substitute for a rectificativa: what would contradict the document is refused (`amendment_needs_rectification`). Refuses with
 * `invoice_not_found`, `invoice_already_voided`, `invoice_pending_at_aeat` while any of its records is pending,
 * `invoice_not_rectifiable_at_aeat` when there is nothing to amend, `recipient_changed_during_validation` when
 * another amendment came first, and the codes of `amendedContent`. Sources: RD 1007/2023 art. 8.2.a; validations
 * 4.3.1 and 6.1.
 */
export async function amendRecord(
  services: AmendmentSources & AppendingServices,
  { actor, within }: Corrector,
  request: AmendmentRequest,
): Promise<Outcome<AddedRecord>> {
  const environmentId = await environmentOfInvoice(services.db.pool, request.invoiceId, within);
  if (isRefusal(environmentId)) return environmentId;
  const amended = await amendIn(services, actor, environmentId, request);
  return withNextStep(services.db, environmentId, amended);
}

async function amendIn(
  services: AmendmentSources & AppendingServices,
  actor: Actor,
  environmentId: number,
  request: AmendmentRequest,
): Promise<Outcome<AddedRecord>> {
  const { pool } = services.db;
  const { invoiceId, reason } = request;
  const before = await loadAmendable(pool, environmentId, invoiceId);
  if (isRefusal(before)) return before;
  const scope = await readScope(pool, environmentId);
  const held = before.flags.previouslyRejected !== 'X';
  const amendable = { corrected: before.corrected, xml: before.declaration.xml, held };
  const amended = await amendedContent(services, scope, amendable, request);
  if (isRefusal(amended)) return amended;
  if (before.flags.isAcceptedAsIs && !amended.isChanged) {
    const { number } = target(before.corrected.family);
    return nothingToAmend(
      number,
      'is registered without errors, and the amendment changes nothing of its record',
    );
  }
  return withLockedTail(services.db, environmentId, async (client, tail) => {
    const now = await loadAmendable(client, environmentId, invoiceId);
    if (isRefusal(now)) return now;
    if (now.declaration.recordId !== before.declaration.recordId) {
      const detail = 'The record was amended by somebody else while this amendment was validated.';
      return new Refusal('recipient_changed_during_validation', detail);
    }
    // The content includes the chain's installation number.
    if (tail.chainId !== scope.openChainId) return chainNotOpen();
    const { number, issuedOn } = target(now.corrected.family);
    const software = declaredSoftware(services.config.software, scope);
    const content = prepareRegistration({
      ...amended.content,
      // The company may have another name by now, and a record names it as the agency knows it.
      issuer: { ...amended.content.issuer, name: scope.issuer.legalName },
      ...{ amendment: now.flags, software },
    });
    const status = scope.environment === 'test' ? 'registered' : 'pending';
    const record = await appendRecord(client, tail, {
      kind: 'registration',
      invoice: { id: invoiceId, number, issuedOn },
      seal: (link) => content.seal({ number, issuedOn }, link),
      status,
    });
    const row = amendmentRow(record, amended, request, actor);
    await storeAmendment(client, row);
    await append(client, amendedEntries(record, status, row));
    const entry = { actor, action: 'amend_record', subject: invoiceId, environmentId, reason };
    const details = { recordId: record.id, amends: before.declaration.recordId, evidence: amended.evidence };
    await addAuditEntry(client, { ...entry, details });
    return { environmentId, invoiceId, recordId: record.id };
  });
}

type Amendable = {
  readonly corrected: Corrected;
  readonly declaration: Declaration;
  readonly flags: AmendmentFlags;
};

async function loadAmendable(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<Outcome<Amendable>> {
  const corrected = (await loadCorrected(client, environmentId, invoiceId))!;
  const flags = amendmentOf(corrected.family, await loadRecords(client, environmentId, invoiceId));
  if (isRefusal(flags)) return flags;
  const declaration = (await loadNewestDeclaration(client, environmentId, invoiceId))!;
  return { corrected, declaration, flags };
}

function amendmentOf(family: Family, records: readonly RecordFacts[]): Outcome<AmendmentFlags> {
  const { number, voided } = target(family);
  if (voided) return new Refusal('invoice_already_voided', `Invoice ${number} is voided.`);
  const flags = amendmentFlags(records);
  switch (flags) {
    case 'pending':
      return new Refusal('invoice_pending_at_aeat', `Invoice ${number} is still being registered.`);
    case 'undeclared':
      return nothingToAmend(number, 'was imported and never declared');
    case 'unreported':
      return nothingToAmend(number, 'was deliberately never declared');
    default:
      return flags;
  }
}

function nothingToAmend(number: string, detail: string): Refusal {
  return new Refusal(
    'invoice_not_rectifiable_at_aeat',
    `There is nothing to amend: invoice ${number} ${detail}.`,
  );
}

/** The row of `invoice_amendment`. */
function amendmentRow(
  record: RecordRow,
  { recipient, breakdown }: AmendedContent,
  { description, reason }: AmendmentRequest,
  actor: Actor,
) {
  return {
    environment_id: record.environment_id,
    record_id: record.id,
    invoice_id: record.invoice_id,
    recipient_name: recipient && fiscalName(recipient),
    recipient_tax_id: recipient?.taxId ?? null,
    recipient_tax_id_type: recipient?.taxIdType ?? null,
    recipient_tax_id_country: recipient?.taxIdCountry ?? null,
    description: description?.trim() ?? null,
    breakdown,
    reason,
    amended_by: actor,
    amended_at: record.generated_at,
  };
}
