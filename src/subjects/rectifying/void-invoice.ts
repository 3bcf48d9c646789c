import type { Config } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append, type NewEntry } from '../../ground/journal/append.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { readScope } from '../accounts/store/read-callers.ts';
import { passGate } from '../approvals/gate.ts';
import { appendRecord, withLockedTail } from '../chain/append-record.ts';
import { sealCancellation } from '../chain/record-xml.ts';
import type { RecordRow } from '../chain/tail.ts';
import type { Claim } from '../idempotency/claim.ts';
import { once, requestDigest, saveAnswer } from '../idempotency/keys.ts';
import { declaredSoftware } from '../issuing/prepare-invoice.ts';
import { lockAffectedAccounts, updateAccounts } from '../payments/accounts.ts';
import { correctedRefusal, type Family, headRefusal, target } from './family.ts';
import type { Once } from './issue-together.ts';
import { voidedEntries } from './journal-entries.ts';
import { withNextStep } from './next-step.ts';
import { type CancellationFlags, cancellationFlags, type RecordFacts } from './record-flags.ts';
import { type ExchangeFacts, issuedTogether, loadExchanges } from './store/read-exchanges.ts';
import { type Corrected, loadFamilies } from './store/read-families.ts';
import { environmentOfInvoice, loadRecords, storeVoid } from './store.ts';
import type { VoidRequest } from './void-request.ts';
import type { Corrector } from './who-may-correct.ts';

/** A record that was added to an invoice issued before. */
export type AddedRecord = {
  readonly environmentId: number;
  readonly invoiceId: string;
  readonly recordId: string;
};

/** What adding a record to an invoice works with: the database, and the software that the record names. */
export type AppendingServices = {
  readonly db: Pick<Db, 'pool' | 'lineage'>;
  readonly config: Pick<Config, 'software' | 'twoPersons'>;
};

/**
 * Voids an invoice that should never have been: seals its cancellation record and notes who voided it and why, in one
 * transaction. Its number and external_id stay taken; what it corrected or was exchanged for is free again. What was issued
 * together with it is voided with it. Once the agency has rejected the cancellation, voiding again sends another one. Refuses,
 * in this order, with `invoice_not_found`, `invoice_already_voided`, `invoice_has_live_canje`, `invoice_already_replaced`,
 * `invoice_not_family_tip`, `invoice_pending_at_aeat` while any of its records is under way, and
 * `invoice_not_rectifiable_at_aeat` for an imported invoice; an operator last with `approval_required` (`passGate`). Sources: RD 1007/2023 art. 11.1; validations 6.2.
 */
export async function voidInvoice(
  services: AppendingServices,
  by: Corrector,
  request: VoidRequest,
): Promise<Outcome<AddedRecord>> {
  const environmentId = await environmentOfInvoice(services.db.pool, request.invoiceId, by.within);
  return isRefusal(environmentId) ? environmentId : voidWithin(services, by, environmentId, request, null);
}

/** The same once for an idempotency key; refuses with `idempotency_conflict` too. */
export async function voidOnce(
  services: AppendingServices,
  by: Corrector,
  request: VoidRequest,
  key: string | null,
): Promise<Once<AddedRecord>> {
  const environmentId = await environmentOfInvoice(services.db.pool, request.invoiceId, by.within);
  if (isRefusal(environmentId)) return { outcome: environmentId, replayed: false };
  return once<AddedRecord>(
    services.db,
    { environmentId, key, operation: 'void_invoice', digest: () => requestDigest(request) },
    (claim) => voidWithin(services, by, environmentId, request, claim),
    (answer) => answer as AddedRecord,
  );
}

/** An invoice to be voided, and what its cancellation must say; null of one whose cancellation needs no further one. */
type Voided = {
  readonly corrected: Corrected;
  readonly flags: CancellationFlags | 'unreported';
};

async function voidWithin(
  services: AppendingServices,
  by: Corrector,
  environmentId: number,
  request: VoidRequest,
  claim: Claim | null,
): Promise<Outcome<AddedRecord>> {
  const voided = await appendVoid(services, by, environmentId, request, claim);
  return withNextStep(services.db, environmentId, voided);
}

function appendVoid(
  { db, config }: AppendingServices,
  { actor }: Corrector,
  environmentId: number,
  { invoiceId, reason }: VoidRequest,
  claim: Claim | null,
): Promise<Outcome<AddedRecord>> {
  return withLockedTail(db, environmentId, async (client, tail) => {
    const together = await issuedTogether(client, environmentId, invoiceId);
    const all = await findVoidable(client, environmentId, invoiceId, together);
    if (isRefusal(all)) return all;
    const act = { actor, action: 'void_invoice', environmentId, reason } as const;
    const given = await passGate(client, config, {
      ...{
        ...act,
        subject: invoiceId,
        arguments: { invoiceIds: all.map(({ corrected }) => target(corrected.family).id) },
      },
    });
    if (isRefusal(given)) return given;
    const scope = await readScope(client, environmentId);
    const accounts = await lockAffectedAccounts(client, environmentId, together, together.length > 1);
    const software = declaredSoftware(config.software, scope);
    const records = new Map<string, string>();
    const entries: NewEntry[] = [];
    for (const { corrected, flags } of all) {
      const { number, issuedOn, voided, id } = target(corrected.family);
      const content = {
        invoice: { nif: corrected.family.nif, number, issuedOn },
        reference: id,
        // Of an invoice that the agency never heard of it holds nothing.
        ...(flags === 'unreported' ? { withoutPriorRecord: true, previouslyRejected: false } : flags),
        software,
      };
      const status =
        flags === 'unreported' ? 'skipped' : scope.environment === 'test' ? 'registered' : 'pending';
      const record = await appendRecord(client, tail, {
        kind: 'cancellation',
        invoice: { id, number, issuedOn },
        seal: (link) => sealCancellation(content, link),
        status,
      });
      const row = voided ? null : voidRow(record, reason, actor);
      if (row !== null) await storeVoid(client, row);
      entries.push(...voidedEntries(record, status, row));
      records.set(id, record.id);
    }
    const paid = await updateAccounts(client, accounts, clock.now());
    await append(client, [...entries, ...paid]);
    for (const [subject, recordId] of records)
      await addAuditEntry(client, { ...act, subject, details: { recordId, ...given } });
    const recordId = records.get(invoiceId) ?? [...records.values()][0]!;
    const added = { environmentId, invoiceId, recordId };
    if (claim !== null) await saveAnswer(client, claim, added);
    return added;
  });
}

/** The invoices of a group that need a cancellation, each with its flags; or why the named one, or else another, cannot be voided. */
async function findVoidable(
  client: Queryable,
  environmentId: number,
  named: string,
  together: readonly string[],
): Promise<Outcome<Voided[]>> {
  const families = await loadFamilies(client, environmentId, together);
  const exchanges = await loadExchanges(client, environmentId, together);
  const all: Voided[] = [];
  const refusals = new Map<string, Refusal>();
  for (const id of together) {
    const corrected = families.get(id)!;
    const position = positionRefusal(corrected.family, exchanges.get(id)!, together);
    const flags = cancellationOf(corrected.family, await loadRecords(client, environmentId, id), position);
    if (isRefusal(flags)) refusals.set(id, flags);
    else all.push({ corrected, flags });
  }
  const refusal = refusals.get(named) ?? [...refusals.values()][0];
  if (refusal === undefined) return all;
  // Of a voided group some cancellations may have to be sent again.
  const isVoided = target(families.get(named)!.family).voided;
  return isVoided && all.length > 0 ? all : refusal;
}

/**
 * Why an invoice cannot be voided where it stands. What was issued together is free for each other; an exchange invoice that was
 * replaced, or whose tickets were returned since, is not.
 */
function positionRefusal(
  family: Family,
  { reversed, returns }: ExchangeFacts,
  together: readonly string[],
): Refusal | null {
  const { kind, number } = target(family);
  if (kind !== 'exchange') return together.length > 1 ? correctedRefusal(family) : headRefusal(family);
  if (reversed) {
    const detail = `Invoice ${number} was replaced by another exchange invoice.`;
    return new Refusal('invoice_already_replaced', detail);
  }
  if (returns.every((id) => together.includes(id))) return null;
  const detail = `Something was returned of the tickets of invoice ${number}: void the returns first.`;
  return new Refusal('invoice_not_family_tip', detail);
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
  position: Refusal | null,
): Outcome<CancellationFlags | 'unreported'> {
  const { number, voided } = target(family);
  const flags = cancellationFlags(records);
  if (voided) {
    // Once more is only for a cancellation that did not reach its end.
    return typeof flags === 'object'
      ? flags
      : new Refusal('invoice_already_voided', `Invoice ${number} is voided.`);
  }
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
