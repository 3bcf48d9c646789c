import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionOf } from '../../src/faces/graphql/permissions.ts';
import { schema } from '../../src/faces/graphql/schema.ts';
import { CASES } from './mutation-cases.ts';
import { type MutationCase, openSetup, type Setup } from './mutation-setup.ts';

/**
 * Each mutation that a merchant's key may call is sent with the key of a test environment: no row of the live environment
 * changes by it, nor any that both share; and what grants access or changes a setting is in the environment's audit log.
 */

let setup: Setup;
let keyId: string;
let tables: readonly { readonly name: string; readonly query: string }[];
beforeAll(async () => {
  setup = await openSetup();
  tables = await shownTables(setup);
  const { rows } = await setup.service.owner.query<{ id: string }>(
    'select id from api_key where environment_id = $1',
    [setup.company.test.environmentId],
  );
  keyId = rows[0]!.id;
});
afterAll(() => setup?.close());

/** Rows of these are of a process, of operators or of the installation, and are written whoever calls. */
const OF_THE_INSTALLATION = new Set([
  ...['database_lineage', 'operations_sample', 'schema_migration', 'service_process', 'console_session'],
  // Counted by key: a live key has a row of its own.
  'rate_limit',
]);

/** Statements that read what a test key must leave alone: rows of the live environment, and rows without an environment. */
async function shownTables({ service, company }: Setup) {
  const { rows } = await service.owner.query<{ name: string; has: boolean }>(
    `select c.relname as name, exists (select from pg_attribute where attrelid = c.oid and attname = 'environment_id') as has
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  );
  const live = company.live.environmentId;
  const whose = (name: string, has: boolean): string => {
    if (name === 'environment') return `where id = ${live}`;
    // Of all companies of a NIF, for live and test apart.
    if (name === 'taken_prefix') return `where kind = 'live'`;
    return has ? `where environment_id in (${live}, ${-live})` : '';
  };
  return rows
    .filter(({ name }) => !OF_THE_INSTALLATION.has(name))
    .map(({ name, has }) => ({
      name,
      query: `select coalesce(json_agg(t order by t::text), '[]')::text as rows from ${name} t ${whose(name, has)}`,
    }));
}

async function liveRows(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { name, query } of tables) {
    const { rows } = await setup.service.owner.query<{ rows: string }>(query);
    found.set(name, rows[0]!.rows);
  }
  const { rows } = await setup.service.owner.query<{ jobs: string }>(
    `select count(*)::text as jobs from graphile_worker._private_jobs where payload ->> 'environmentId' = $1`,
    [String(setup.company.live.environmentId)],
  );
  return found.set('jobs', rows[0]!.jobs);
}

const fields = Object.values(schema.getMutationType()!.getFields()).filter(
  ({ deprecationReason }) => deprecationReason == null,
);
/** What a merchant's key may call. */
const OWN = fields.filter((field) => {
  const { scope, ownKey } = permissionOf(field)!;
  return scope !== undefined || ownKey === true;
});
const managed = new Set(
  OWN.filter((field) => [permissionOf(field)!.scope].flat().includes('manage')).map(({ name }) => name),
);
const CASES_OF_MERCHANTS = CASES.filter(({ name }) => OWN.some((field) => field.name === name));

/** Beside what needs `manage`: grants of access, and what issues by itself from then on. */
const ALSO_RECORDED = new Set([
  ...['createAccessToken', 'createCustomerPortalSession', 'voidInvoice', 'amendRecord', 'exchangeInvoices'],
  ...['returnOnExchange', 'replaceExchange'],
  ...['createInvoiceSchedule', 'updateInvoiceSchedule', 'pauseInvoiceSchedule', 'resumeInvoiceSchedule'],
  'endInvoiceSchedule',
]);

const LOG = '{ auditLog(first: 5) { edges { node { id actor action subject reason data } } } }';
type Act = { id: string; actor: string; action: string; subject: string; data: unknown };
const actsOf = async (): Promise<Act[]> =>
  (await setup.execute(LOG)).auditLog.edges.map(({ node }: { node: Act }) => node);

describe.each(CASES_OF_MERCHANTS)('$name with a test key', ({ name, prepare }: MutationCase) => {
  test('changes nothing of the live environment, and is recorded where it has to be', async () => {
    const { done, variables = {}, key } = await prepare(setup);
    // What only operators can be shown to do, because the records of a test environment are registered at once.
    if (key !== undefined && key !== setup.merchant) return;
    const query = mutationOf(done, variables);
    const [before, acts] = [await liveRows(), await actsOf()];
    const values = Object.fromEntries(Object.entries(variables).map(([each, [, value]]) => [each, value]));
    const answer = await setup.execute(query, values);
    expect([...(await liveRows())].filter(([table, rows]) => before.get(table) !== rows)).toEqual([]);
    const added = (await actsOf()).filter(({ id }) => !acts.some((act) => act.id === id));
    if (!managed.has(name) && !ALSO_RECORDED.has(name)) {
      expect(added).toEqual([]);
      return;
    }
    expect(added).toMatchObject([{ actor: keyId, action: expect.any(String), subject: expect.any(String) }]);
    // Neither a secret that the answer holds, nor an address that events are posted to.
    for (const secret of secretsIn(answer)) expect(JSON.stringify(added)).not.toContain(secret);
    expect(JSON.stringify(added)).not.toContain('https://example.com');
  });
});

/** The mutation, which selects as little of its answer as it can. */
function mutationOf(done: string, variables: Readonly<Record<string, readonly [string, unknown]>>): string {
  const parameters = Object.entries(variables).map(([name, [type]]) => `$${name}: ${type}`);
  const declared = parameters.length === 0 ? '' : `(${parameters.join(', ')})`;
  return `mutation ${declared} { done: ${done.replace(/\.\.\.\w+/g, '__typename')} }`;
}

function secretsIn(answer: object): string[] {
  return [...JSON.stringify(answer).matchAll(/"(?:at_|whsec_)[^"]+"|portal\/[^"]+"/g)].map(([found]) =>
    found.replaceAll('"', ''),
  );
}

test('every mutation that a merchant’s key may call is sent', () => {
  const sent = new Set(CASES_OF_MERCHANTS.map(({ name }) => name));
  expect(OWN.map(({ name }) => name).filter((name) => !sent.has(name))).toEqual([]);
  expect([...ALSO_RECORDED].filter((name) => !sent.has(name))).toEqual([]);
});
