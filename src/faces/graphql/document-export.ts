import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Release } from '../../ground/lib/fair-semaphore.ts';
import { openWithAny } from '../../ground/lib/keyring.ts';
import type { Services } from '../../services.ts';
import { readEnvironmentTime } from '../../subjects/accounts/entry/environment-time.ts';
import { verifyExport } from '../../subjects/formats/export/export-link.ts';
import {
  type Export,
  type ExportServices,
  exportPeriod,
  type LinkedPeriod,
} from '../../subjects/formats/export/export-period.ts';

/** When to come back while as many exports are sent as may be: a small one is done by then. */
const RETRY_AFTER_SECONDS = 30;

/** What the exports of a process share, and the secrets of their links. */
export type OpeningServices = ExportServices & Pick<Services, 'linkSecrets' | 'semaphores' | 'eventLoop'>;

/**
 * Begins to export what a link opens; GraphQL has no answers of that size, so REST requests it here. The exports of a
 * process take turns, document by document. Refuses with `download_link_expired` for a link that is over or not ours,
 * with `rate_limited` while too many are sent, and as `exportPeriod` does.
 */
export async function openExport(
  services: OpeningServices,
  token: string,
): Promise<Outcome<Export & { readonly filename: string }>> {
  const period = openWithAny(services.linkSecrets, (secret) => verifyExport(secret, token, clock.now()));
  if (typeof period === 'string') {
    const detail = period === 'expired' ? 'has expired' : 'was altered';
    return new Refusal('download_link_expired', `The link ${detail}.`);
  }
  const release = await services.semaphores.exports.acquire(period.environmentId);
  if (release === null) {
    const detail = 'As many exports are being sent as may be at once.';
    return new Refusal('rate_limited', detail, { retryAfter: RETRY_AFTER_SECONDS });
  }
  const begun = await begin(services, period).catch((error: unknown) => {
    release();
    throw error;
  });
  if (isRefusal(begun)) release();
  else void closedWhenSent(begun, release);
  return isRefusal(begun) ? begun : { ...begun, filename: `${period.from}_${period.to}.zip` };
}

/** The place is free again once the file was read or left, and nothing is made for it any more. */
async function closedWhenSent({ zip, settled }: Export, release: Release): Promise<void> {
  const closed = new Promise<void>((resolve) => zip.once('close', resolve));
  await Promise.all([closed, settled]);
  release();
}

async function begin(services: OpeningServices, period: LinkedPeriod): Promise<Outcome<Export>> {
  const { eventLoop, semaphores } = services;
  const { environmentId: owner } = period;
  const { timeZone } = await readEnvironmentTime(services.db.pool, owner);
  return exportPeriod(
    services,
    { ...period, timeZone },
    {
      async inTurn(work) {
        const release = await semaphores.exporting.acquire(owner);
        if (release === null) throw new Error('more exports of an environment make documents than are open');
        try {
          await eventLoop.waitTurn(owner);
          return await work();
        } finally {
          release();
        }
      },
    },
  );
}
