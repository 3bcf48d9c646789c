import { z } from 'zod';
import type { Config } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { line } from '../../ground/lib/text.ts';
import { readScope } from '../accounts/store/read-callers.ts';
import { appendRecord, withLockedTail } from '../chain/append-record.ts';
import { sealCancellation } from '../chain/record-xml.ts';
import type { RecordRow } from '../chain/tail.ts';
import { declaredSoftware } from '../issuing/prepare-invoice.ts';
import { lockAffectedAccounts, updateAccounts } from '../payments/accounts.ts';
import { type Family, headRefusal, target } from './family.ts';
import { voidedEntries } from './journal-entries.ts';
import { type CancellationFlags, cancellationFlags, type RecordFacts } from './record-flags.ts';
import { loadCorrected } from './store/read-families.ts';
import { environmentOfInvoice, loadRecords, storeVoid } from './store.ts';
import type { Corrector } from './who-may-correct.ts';

/** What is sent to void an invoice. */
export const voidRequest = z.strictObject({ invoiceId: z.string(), reason: line(500) });

export type VoidRequest = z.output<typeof voidRequest>;

/** A record that was added to an invoice issued before. */
export type AddedRecord = {
  readonly environmentId: number;
  readonly invoiceId: string;
  readonly recordId: string;
};

/** What adding a record to an invoice works with: the database, and the software that the record names. */
export type AppendingServices = {
  readonly db: Pick<Db, 'pool' | 'lineage'>;
  readonly config: Pick<Config, 'software'>;
};

/**
 * Voids an invoice that should never have been: seals its cancellation record and notes who voided it and why, in one
 * transaction. Its number and external_id stay taken; what it corrected or was exchanged for is free again. Once the
 * agency has rejected the cancellation, voiding again sends another one. Refuses, in this order, with
 * `invoice_not_found`, `invoice_already_voided`, `invoice_has_live_canje`, `invoice_already_replaced`,
 * `invoice_not_family_tip`, `invoice_pending_at_aeat` while any of its records is under way, and
 * `invoice_not_rectifiable_at_aeat` for an imported invoice. Sources: RD 1007/2023 art. 11.1; validations 6.2.
 */
export async function voidInvoice(
  { db, config }: AppendingServices,
  { actor, within }: Corrector,
  { invoiceId, reason }: VoidRequest,
): Promise<Outcome<AddedRecord>> {
  const environmentId = await environmentOfInvoice(db.pool, invoiceId, within);
  if (isRefusal(environmentId)) return environmentId;
  return withLockedTail(db, environmentId, async (client, tail) => {
    const { family } = (await loadCorrected(client, environmentId, invoiceId))!;
    const flags = cancellationOf(family, await loadRecords(client, environmentId, invoiceId));
    if (isRefusal(flags)) return flags;
    const scope = await readScope(client, environmentId);
    const accounts = await lockAffectedAccounts(client, environmentId, [invoiceId]);
    const { number, issuedOn, voided } = target(family);
    const content = {
      invoice: { nif: family.nif, number, issuedOn },
      reference: invoiceId,
      // Of an invoice that the agency never heard of it holds nothing.
      ...(flags === 'unreported' ? { withoutPriorRecord: true, previouslyRejected: false } : flags),
      software: declaredSoftware(config.software, scope),
    };
    const status =
      flags === 'unreported' ? 'skipped' : scope.environment === 'test' ? 'registered' : 'pending';
    const record = await appendRecord(client, tail, {
      kind: 'cancellation',
      invoice: { id: invoiceId, number, issuedOn },
      seal: (link) => sealCancellation(content, link),
      status,
    });
    const row = voided ? null : voidRow(record, reason, actor);
    if (row !== null) await storeVoid(client, row);
    const paid = await updateAccounts(client, accounts, clock.now());
    await append(client, [...voidedEntries(record, status, row), ...paid]);
    const entry = { actor, action: 'void_invoice', subject: invoiceId, environmentId, reason };
    await addAuditEntry(client, { ...entry, details: { recordId: record.id } });
    return { environmentId, invoiceId, recordId: record.id };
  });
}

function voidRow(record: RecordRow, reason: string, actor: Actor) {
  return {
    environment_id: record.environment_id,
    invoice_id: record.invoice_id,
    record_id: record.id,
    reason,
    voided_by: actor,
    voided_at: record.generated_at,
  };
}

function cancellationOf(
  family: Family,
  records: readonly RecordFacts[],
): Outcome<CancellationFlags | 'unreported'> {
  const { number, voided } = target(family);
  const flags = cancellationFlags(records);
  if (voided) {
    // Once more is only for a cancellation that did not reach its end.
    return typeof flags === 'object'
      ? flags
      : new Refusal('invoice_already_voided', `Invoice ${number} is voided.`);
  }
  const position = headRefusal(family);
  if (position !== null) return position;
  switch (flags) {
    case 'pending':
      return new Refusal('invoice_pending_at_aeat', `Invoice ${number} is still being registered.`);
    case 'undeclared':
      return new Refusal(
        'invoice_not_rectifiable_at_aeat',
        `Invoice ${number} was imported: no record of it was made here, so none can be cancelled.`,
      );
    case 'done':
      throw new Error(`a cancellation of ${number} exists although it is not voided`);
    default:
      return flags;
  }
}
