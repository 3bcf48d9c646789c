import type { SoftwareConfig } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { append } from '../../ground/journal/append.ts';
import { type Day, dayIn, madridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { type Logger, logFields, withLogFields } from '../../ground/lib/logger.ts';
import { enqueue } from '../../ground/queue/enqueue.ts';
import { holdEntries } from '../chain/hold-entry.ts';
import {
  type AgencyInvoice,
  type Installation,
  type Period,
  PeriodReader,
  periodQueryEnvelope,
} from './aeat/period-query.ts';
import type { AgencyClient } from './aeat/transport.ts';
import { comparePage, concludeComparison } from './comparison.ts';
import type { ChainKey } from './shapes.ts';
import { openComparison, saveComparison, saveComparisonFailure } from './store/comparison.ts';
import { type HeldChain, heldChain, holdLiveChains, liveEnvironmentsOf } from './store/hold.ts';

/**
 * A restored database may lack records that were sealed, sent and given to customers since its backup. Continuing
 * from its tails would fork the chains and issue numbers twice. So every live chain is held, compared with what the
 * agency has of it, and released when the agency has nothing that is missing here. Invoices that were lost before
 * they were sent cannot be detected: only a backup that is current to the second prevents that.
 */

/**
 * Holds all live chains that accept records, or those that `workers` have of a divided database, and has each compared with the
 * agency by a job. Issuing is refused with `service_unavailable` meanwhile. Returns how many are held now and wait to be compared.
 */
export async function holdAfterRestore(
  client: Queryable,
  workers: readonly number[] | null = null,
): Promise<number> {
  const now = clock.now();
  const environments = workers === null ? null : await liveEnvironmentsOf(client, workers);
  const { held: onHold, waiting } = await holdLiveChains(client, now, environments);
  await enqueue(
    client,
    waiting.map((payload) => ({ task: 'compare_with_agency', payload })),
  );
  await append(client, holdEntries(onHold, now));
  return waiting.length;
}

type ResumingServices = {
  readonly db: Pick<Db, 'pool'>;
  readonly log: Logger;
  readonly agency: AgencyClient;
  readonly software: SoftwareConfig;
};

/** `unreachable`: the agency gave no usable answer, so the chain stays held and is to be compared again. */
export type Compared = 'sound' | 'forked' | 'unreachable';

/**
 * Compares a held chain with what the agency has of its installation since the last record here. Releases it, or
 * marks it forked, with what is missing here: then it stays held until an operator opens a new installation. The
 * agency's pages are parsed as they arrive, with one in memory; the progress is stored after each, so that after a
 * failure only the last page is requested again.
 */
export function compareWithAgency(
  services: ResumingServices,
  chain: ChainKey,
  signal?: AbortSignal,
): Promise<Compared> {
  const { environmentId, chainId } = chain;
  return withLogFields({ ...logFields(), environmentId, chainId }, () =>
    compareChain(services, chain, signal),
  );
}

async function compareChain(
  services: ResumingServices,
  chain: ChainKey,
  signal: AbortSignal | undefined,
): Promise<Compared> {
  const { pool } = services.db;
  const { log } = services;
  const facts = await heldChain(pool, chain);
  if (facts === null) return 'sound';
  const until = madridDay(clock.now());
  // The earliest day that it was anywhere in Spain: the issuer may be in the Canary Islands.
  const known = dayIn('Atlantic/Canary', facts.knownUntil);
  const from = known < until ? known : until;
  const months = monthsToAsk(from, until, facts.correctsEarlier);
  const comparison = await openComparison(pool, chain, { month: months[0]!, until });
  for (const month of months.slice(Math.max(0, months.indexOf(comparison.month)))) {
    do {
      const page = await queryPage(
        services,
        facts,
        { month, from, to: until, after: comparison.after },
        signal,
      );
      if (typeof page === 'string') {
        log.warn(
          { reason: page, month, compared: comparison.compared },
          'the agency could not be queried about a chain on hold',
        );
        await saveComparisonFailure(pool, chain, page);
        return 'unreachable';
      }
      await comparePage(pool, chain, comparison, page.records);
      comparison.after = page.next;
      comparison.month = page.next === null ? (months[months.indexOf(month) + 1] ?? month) : month;
      if (!(await saveComparison(pool, chain, comparison))) return 'unreachable';
      const { pages, compared, missing } = comparison;
      log.info({ month, pages, compared, missing }, 'a page of what the agency holds was compared');
    } while (comparison.after !== null);
  }
  const found = await concludeComparison(pool, chain, comparison);
  const { compared, missing } = comparison;
  if (found === 'sound')
    log.info({ compared }, 'a chain on hold agrees with the agency and accepts records again');
  else log.error({ lost: missing }, 'THE CHAIN IS FORKED: the agency holds records that this database lacks');
  return found;
}

/** One page of what the agency has of the installation, or why it could not be read. */
async function queryPage(
  { agency: line, software }: ResumingServices,
  { issuer, installationNumber }: HeldChain,
  period: Period,
  signal: AbortSignal | undefined,
): Promise<{ records: readonly AgencyInvoice[]; next: AgencyInvoice | null } | string> {
  const installation: Installation = {
    producerName: software.producerName,
    producerNif: software.producerNif,
    softwareId: software.id,
    number: installationNumber,
  };
  const reader = new PeriodReader(installation);
  const envelope = periodQueryEnvelope(issuer, installation, period);
  const result = await line.post(envelope, signal, {
    write: (chunk) => reader.write(chunk),
    keepsText: false,
  });
  if (result.kind !== 'answer') return result.reason;
  const answer = reader.close();
  if (answer.kind === 'fault') return `fault ${answer.code ?? ''}`;
  if (answer.kind === 'unreadable') return answer.reason;
  // Otherwise the same page would be requested forever.
  const { next } = answer;
  if (next !== null && next.number === period.after?.number && next.issueDate === period.after.issueDate)
    return 'a page ends where the one before it did';
  return answer;
}

/**
 * As many months before their issue the agency may file rectificativas of invoices issued elsewhere, whose operation is that of the invoice:
 * a tax is rectified within four years (LIVA art. 89.Uno). They are 47 queries more while a chain may not issue, so they are asked only of
 * who has issued such rectificativas. If a chain lost nothing but its first one, or one of an older operation, which an insolvency may make
 * lawful, it passes for sound, and the agency refuses the number when it is given again (3000).
 */
const RECTIFIABLE_MONTHS = 48;

/**
 * The months under which the agency files invoices issued between the two days, likely ones first. It uses the day of the operation,
 * and invoices are due by the 16th of the following month (RD 1619/2012 art. 11), so the month before is among the first; then come those of
 * earlier operations, the latest first.
 */
function monthsToAsk(from: Day, to: Day, correctsEarlier: boolean): string[] {
  const [year = 0, month = 0] = from.split('-').map(Number);
  const ago = (months: number): string => {
    const at = year * 12 + month - 1 - months;
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  };
  const likely: string[] = [];
  for (let months = 1; ago(months) <= to.slice(0, 7); months -= 1) likely.push(ago(months));
  if (!correctsEarlier) return likely;
  const earlier = Array.from({ length: RECTIFIABLE_MONTHS - 1 }, (_, index) => ago(index + 2));
  return [...likely, ...earlier];
}
