import pg from 'pg';
import type { Db } from '../../../src/ground/db/client.ts';
import { statementsOf } from '../../../src/ground/db/statement-time.ts';
import { inTransaction } from '../../../src/ground/db/transaction.ts';
import { append } from '../../../src/ground/journal/append.ts';
import { type SettledState, settledEntry } from '../../../src/subjects/chain/settled-entry.ts';
import { verifyEnvironment } from '../../../src/subjects/chain/verify.ts';
import { SETTLED_COLUMNS } from '../../../src/subjects/registration/store/settled.ts';
import { runDayOfWork, type Work } from '../../integration/query-plan-workload.ts';
import { distinct, type PlanNode, plansOf } from '../../integration/query-plans.ts';
import { type TestService, testService } from '../../support/http/http-service.ts';
import type { TestCompany } from '../../support/invoices/company.ts';
import { type Databases, type Filled, openDatabases } from './databases.ts';
import { type TimedStatement, timedDuring } from './timed.ts';

/**
 * Every statement of a day's work on a database of few invoices and on one of many, in turn, so that whoever else loads the
 * machine disturbs both alike. On the one of many twice: for a company that has as many invoices as that of the few, and for
 * one that has half of them all.
 */

/** Whose work: of the few, of the many for a company no larger, and for one that has half of them. */
const SIDES = ['few', 'same', 'half'] as const;
type Side = (typeof SIDES)[number];

/** In milliseconds, the median of the rounds. */
export type Compared = {
  readonly what: string;
  /** The statement, or null for the whole work. */
  readonly statement: string | null;
  readonly p50: Readonly<Record<Side, number | null>>;
  /** Where Postgres reads other tables or indexes, or in another way: as it was and as it is. */
  readonly plans: Readonly<Partial<Record<Side, string>>> | null;
};

export type TenMillion = {
  readonly few: number;
  readonly many: number;
  readonly bytes: { readonly few: number; readonly many: number };
  readonly creationSeconds: number;
  readonly rounds: number;
  /** Verifying a company of the same size in both before the work: milliseconds for a thousand records. */
  readonly verifying: Readonly<Record<'few' | 'same', Verified>>;
  /** And after it. */
  readonly verifyingAfterWork: Readonly<Record<'few' | 'same', Verified>>;
  readonly compared: readonly Compared[];
  readonly failures: readonly string[];
};

type Verified = { readonly findings: number; readonly msOfThousand: number };

/** What takes longer on one side is done no more often than fits in this. */
const MAX_SECONDS_OF_WORK = 20;

type Place = {
  readonly service: TestService;
  readonly works: ReadonlyMap<string, () => Promise<unknown>>;
  readonly owner: pg.Pool;
};

export async function tenMillion(plan: {
  readonly directory: string;
  readonly few: number;
  readonly many: number;
  readonly rounds: number;
  readonly print: (line: string) => void;
}): Promise<TenMillion> {
  const { print } = plan;
  const databases = await openDatabases(plan.directory, plan, print);
  const { few, many } = databases;
  const bothVerified = async () => ({
    few: await verified(few, few.companies[0]!),
    same: await verified(many, many.companies[1]!),
  });
  const verifying = await bothVerified();
  print(`verified: ${JSON.stringify(verifying)}`);
  const places: Record<Side, Place> = {
    few: await placeOf(few, few.companies[0]!),
    same: await placeOf(many, many.companies[1]!),
    half: await placeOf(many, many.companies[0]!),
  };
  const failures: string[] = [];
  const compared: Compared[] = [];
  for (const what of places.few.works.keys()) {
    compared.push(...(await compare(what, places, plan.rounds, failures)));
    const whole = compared.findLast((one) => one.what === what && one.statement === null);
    if (whole !== undefined)
      print(`${what}: ${SIDES.map((side) => whole.p50[side]?.toFixed(1) ?? '–').join(' / ')} ms`);
  }
  const verifyingAfterWork = await bothVerified();
  await close(databases, places);
  return {
    ...{ few: few.invoices, many: many.invoices, creationSeconds: many.seconds, rounds: plan.rounds },
    ...{ bytes: { few: few.bytes, many: many.bytes }, verifying, verifyingAfterWork, compared, failures },
  };
}

async function verified({ db }: Filled, { live }: TestCompany): Promise<Verified> {
  return statementsOf('maintenance', async () => {
    const begun = performance.now();
    const found = await verifyEnvironment(db.pool, live.environmentId);
    if (found === null) throw new Error('there is no such environment');
    const { findingCount: findings, records } = found;
    return { findings, msOfThousand: ((performance.now() - begun) / records) * 1_000 };
  });
}

async function placeOf({ url, db }: Filled, company: TestCompany): Promise<Place> {
  const owner = new pg.Pool({ connectionString: url, max: 2 });
  owner.on('error', () => {});
  const beside = { databaseUrl: url, owner, ownerUrl: url, company, db } as unknown as TestService;
  const service = await testService({}, { beside });
  const works = [...(await runDayOfWork(service, decide)), ...following(service)];
  return { service, owner, works: new Map(works) };
}

/** Settles the record of an invoice with its entry: what tests do instead reads the whole journal for what it lacks. */
async function decide(db: Db, invoiceId: string, status: SettledState['status']): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<SettledState & { environment_id: number }>(
      `update record_state state set status = $2::registration_status, settled_at = now(), attempts = 1, error_code = $3
         from registration_record record
        where record.invoice_id = $1 and record.environment_id = state.environment_id and record.id = state.record_id
       returning state.environment_id, ${SETTLED_COLUMNS}`,
      [invoiceId, status, status === 'rejected' ? '1110' : null],
    );
    await append(
      client,
      rows.map(({ environment_id: environmentId, ...state }) =>
        settledEntry({ environmentId, invoiceId }, state),
      ),
    );
  });
}

/** Events and the journal, which the day of work leaves out. */
function following(service: TestService): Work[] {
  const get = (path: string) => async () => {
    const answer = await service.call('GET', path, { key: service.company.live.key });
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`);
    return answer.body as { data: { id: string }[]; next_cursor?: string };
  };
  const query = (text: string) => async () => {
    const { body } = await service.graphql(text, {}, { key: service.company.live.key });
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  };
  return [
    ['events, the newest', get('/v1/events?limit=25')],
    ['events of one type', get('/v1/events?limit=25&type=invoice.issued')],
    [
      'totals of a month that is over',
      query(
        `{ invoiceTotals(filter: { issuedOn: { from: "2026-03-01", to: "2026-03-31" } }) { count total } }`,
      ),
    ],
  ];
}

/** The work done in turn on each side; its statements and itself compared. */
async function compare(
  what: string,
  places: Record<Side, Place>,
  rounds: number,
  failures: string[],
): Promise<Compared[]> {
  const whole: Record<Side, number[]> = { few: [], same: [], half: [] };
  const timed: Record<Side, TimedStatement[]> = { few: [], same: [], half: [] };
  const failed = new Set<Side>();
  const spent = () => Math.max(...SIDES.map((side) => whole[side].reduce((sum, ms) => sum + ms, 0)));
  // The first round only warms up.
  for (let round = 0; round <= rounds && spent() < MAX_SECONDS_OF_WORK * 1_000; round++) {
    for (let turn = 0; turn < SIDES.length; turn++) {
      const side = SIDES[(round + turn) % SIDES.length]!;
      if (failed.has(side)) continue;
      const begun = performance.now();
      try {
        const statements = await timedDuring(places[side].works.get(what)!);
        const ms = performance.now() - begun;
        if (round === 0 && ms < 1_000) continue;
        whole[side].push(ms);
        timed[side].push(...statements);
      } catch (error) {
        failed.add(side);
        failures.push(
          `${what} (${side}) after ${(performance.now() - begun).toFixed(0)} ms: ${String(error).slice(0, 200)}`,
        );
      }
    }
  }
  const statements = new Set(timed.few.map(({ label }) => label));
  const found: Compared[] = [{ what, statement: null, p50: medians(whole), plans: null }];
  for (const statement of statements) {
    const own = Object.fromEntries(
      SIDES.map((side) => [side, timed[side].filter(({ label }) => label === statement)]),
    ) as typeof timed;
    const p50 = medians(
      Object.fromEntries(SIDES.map((side) => [side, own[side].map(({ ms }) => ms)])) as typeof whole,
    );
    found.push({ what, statement, p50, plans: await changedPlans(places, own) });
  }
  return found;
}

function medians(of: Record<Side, readonly number[]>): Compared['p50'] {
  const middle = (all: readonly number[]) =>
    [...all].sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? null;
  return { few: middle(of.few), same: middle(of.same), half: middle(of.half) };
}

/** The plans of the last values that were sent, where they differ. */
async function changedPlans(
  places: Record<Side, Place>,
  own: Record<Side, readonly TimedStatement[]>,
): Promise<Compared['plans']> {
  const plans: Partial<Record<Side, string>> = {};
  for (const side of SIDES) {
    const last = own[side].at(-1);
    if (last === undefined) continue;
    const client = await places[side].owner.connect();
    try {
      const shapes: string[] = [];
      for (const one of distinct([{ ...last, name: null }]))
        for (const plan of await plansOf(client, one)) shapes.push(shapeOf(plan));
      plans[side] = shapes.join('; ');
    } catch {
      // A plan that nobody can tell of changes nothing of the figures.
      return null;
    } finally {
      client.release();
    }
  }
  return new Set(Object.values(plans)).size > 1 ? plans : null;
}

function shapeOf(node: PlanNode): string {
  const on = node['Index Name'] ?? node['Relation Name'];
  const inner = (node.Plans ?? []).map(shapeOf);
  return `${node['Node Type']}${on === undefined ? '' : ` ${on}`}${inner.length === 0 ? '' : ` (${inner.join(', ')})`}`;
}

async function close(databases: Databases, places: Record<Side, Place>): Promise<void> {
  for (const { service, owner } of Object.values(places)) {
    await service.close();
    await owner.end();
  }
  await databases.close();
}
