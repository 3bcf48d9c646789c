import type { Readable } from 'node:stream';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Release } from '../../ground/lib/fair-semaphore.ts';
import { openWithAny } from '../../ground/lib/keyring.ts';
import type { Services } from '../../services.ts';
import { readEnvironmentTime } from '../../subjects/accounts/entry/environment-time.ts';
import { exportLinks } from '../../subjects/formats/export/export-link.ts';
import { type ExportServices, exportPeriod } from '../../subjects/formats/export/export-period.ts';
import { exportCompany } from '../../subjects/leaving/export-company.ts';
import { companyLinks } from '../../subjects/leaving/export-link.ts';

/** When to come back while as many exports are sent as may be: a small one is done by then. */
const RETRY_AFTER_SECONDS = 30;

/** What the exports of a process share, and the secrets of their links. */
export type OpeningServices = ExportServices & Pick<Services, 'linkSecrets' | 'semaphores' | 'eventLoop'>;

/** What is exported: a ZIP file that is made while it is read. */
type Sent = { readonly zip: Readable; readonly settled: Promise<void> };
type Named<File> = File & { readonly filename: string };

/**
 * Begins to export what a link to a period opens; GraphQL has no answers of that size, so REST requests it here. The exports of a
 * process take turns, document by document. Refuses with `download_link_expired` for a link that is over or not ours,
 * with `rate_limited` while too many are sent, and as `exportPeriod` does.
 */
export async function openExport(services: OpeningServices, token: string): Promise<Outcome<Named<Sent>>> {
  const period = opened(services, (secret) => exportLinks.verify(secret, token, clock.now()));
  if (isRefusal(period)) return period;
  const { environmentId: owner, expires: _, ...days } = period;
  return sendingOne(services, owner, async (inTurn) => {
    const { timeZone } = await readEnvironmentTime(services.db.pool, owner);
    const begun = await exportPeriod(services, { environmentId: owner, ...days, timeZone }, { inTurn });
    return isRefusal(begun) ? begun : { ...begun, filename: `${period.from}_${period.to}.zip` };
  });
}

/** The same for the archive of a company; refuses as `exportCompany` does. */
export async function openArchive(services: OpeningServices, token: string): Promise<Outcome<Named<Sent>>> {
  const linked = opened(services, (secret) => companyLinks.verify(secret, token, clock.now()));
  if (isRefusal(linked)) return linked;
  const { companyId } = linked;
  return sendingOne(services, companyId, (inTurn) => exportCompany(services, companyId, { inTurn }));
}

function opened<Linked>(
  { linkSecrets }: Pick<Services, 'linkSecrets'>,
  verify: (secret: Buffer) => Linked | 'expired' | 'altered',
): Outcome<Linked> {
  const linked = openWithAny(linkSecrets, verify);
  if (linked === 'expired') return new Refusal('download_link_expired', 'The link has expired.');
  if (linked === 'altered') return new Refusal('download_link_expired', 'The link was altered.');
  return linked;
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Begins one of the exports that a process sends at once, whose documents are made when it is the turn of its owner. */
async function sendingOne<File extends Sent>(
  { semaphores, eventLoop }: OpeningServices,
  owner: number | string,
  begin: (inTurn: InTurn) => Promise<Outcome<File>>,
): Promise<Outcome<File>> {
  const release = await semaphores.exports.acquire(owner);
  if (release === null) {
    const detail = 'As many exports are being sent as may be at once.';
    return new Refusal('rate_limited', detail, { retryAfter: RETRY_AFTER_SECONDS });
  }
  const inTurn: InTurn = async (work) => {
    const releaseTurn = await semaphores.exporting.acquire(owner);
    if (releaseTurn === null) throw new Error('more exports of an owner make documents than are open');
    try {
      await eventLoop.waitTurn(owner);
      return await work();
    } finally {
      releaseTurn();
    }
  };
  const begun = await begin(inTurn).catch((error: unknown) => {
    release();
    throw error;
  });
  if (isRefusal(begun)) release();
  else void closedWhenSent(begun, release);
  return begun;
}

/** The place is free again once the file was read or left, and nothing is made for it any more. */
async function closedWhenSent({ zip, settled }: Sent, release: Release): Promise<void> {
  const closed = new Promise<void>((resolve) => zip.once('close', resolve));
  await Promise.all([closed, settled]);
  release();
}
