import type { RegistrationStatus } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { completed, readChain, recordsAfter } from './store/verification.ts';
import { type Finding, type FindingKind, type PreviousRecord, verifyRecord } from './verify-record.ts';

/** A record as verification sees it: its identity, and whether each of the three properties of a chain holds. */
export type InspectedRecord = {
  readonly recordId: string;
  readonly position: number;
  readonly kind: 'registration' | 'cancellation';
  readonly invoiceId: string;
  readonly number: string | null;
  readonly status: RegistrationStatus | null;
  readonly generatedAt: Date;
  readonly fingerprint: string;
  readonly previousFingerprint: string | null;
  /** It names the previous record correctly: position, id, fingerprint, and the same in its XML. */
  readonly linkHolds: boolean;
  /** Its fingerprint matches its own content. */
  readonly fingerprintHolds: boolean;
  /** It was not generated before the previous record, and its XML states the same time. */
  readonly timeHolds: boolean;
  /** All findings, on these three properties and on the rest. */
  readonly findings: readonly Finding[];
};

export type Inspection = {
  readonly environmentId: number;
  readonly chainId: number;
  readonly installationNumber: string;
  readonly lastPosition: number;
  readonly closedAt: Date | null;
  readonly records: readonly InspectedRecord[];
};

const LINK: readonly FindingKind[] = ['position', 'previous_record', 'previous_fingerprint', 'link_in_xml'];
const FINGERPRINT: readonly FindingKind[] = ['fingerprint', 'fingerprint_in_xml', 'record_unreadable'];
const TIME: readonly FindingKind[] = ['generated_at_goes_back', 'generated_at_in_xml'];

/**
 * Verifies the records of a chain from a position on, each against the previous one, and returns for each which
 * properties hold; null when there is no such chain. The record before the first is read but not verified.
 */
export async function inspectChain(
  pool: Queryable,
  chainId: number,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<Inspection | null> {
  const chain = await readChain(pool, chainId);
  if (chain === null) return null;
  const found = await recordsAfter(pool, chain, from - 2, from === 1 ? count : count + 1);
  const stored = await completed(pool, chain.environmentId, found);
  const records: InspectedRecord[] = [];
  let before: PreviousRecord | null = null;
  for (const record of stored) {
    const findings: Finding[] = [];
    before = verifyRecord(chain, record, before, (finding) => findings.push(finding));
    if (record.position < from) continue;
    const holds = (kinds: readonly Finding['what'][]) => !findings.some(({ what }) => kinds.includes(what));
    const { id, position, kind, invoiceId, generatedAt, fingerprint, previousFingerprint } = record;
    records.push({
      ...{ recordId: id, position, kind, invoiceId, generatedAt, fingerprint, previousFingerprint },
      ...{ number: record.invoice?.number ?? null, status: record.state?.status ?? null },
      ...{ linkHolds: holds(LINK), fingerprintHolds: holds(FINGERPRINT), timeHolds: holds(TIME), findings },
    });
  }
  const { environmentId, installationNumber, lastPosition, closedAt } = chain;
  return { chainId, environmentId, installationNumber, lastPosition, closedAt, records };
}
