import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shares } from '../../src/subjects/accounts/entry/shares.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operations } from '../support/http/openapi.ts';
import { createCompany } from '../support/invoices/company.ts';
import { createOneOfEach } from './schema-request-state.ts';
import {
  type Environment,
  type ExistingObjects,
  type SchemaRequest,
  schemaRequest,
} from './schema-requests.ts';
import { undocumented } from './undocumented-values.ts';

/** So many requests at once; of all as many as the suite has time for, or 10,000 by `npm run fuzz`. */
const AT_ONCE = 20;
const REQUESTS = Number(process.env['TEST_REQUESTS'] ?? 400);

/**
 * The suite runs the same requests each time; `npm run fuzz` others each time. To run a failure again:
 * FUZZ_SEED=<the seed that it tells> npm run fuzz
 */
const isFuzz = process.env['TEST_REQUESTS'] !== undefined;
const seed = Number(process.env['FUZZ_SEED'] ?? (isFuzz ? Date.now() % 2_147_483_647 : 1));

/** What input can cause although nothing of ours fails: a register or the agency that has not answered. */
const WAITING = ['tax_id_validation_unavailable', 'invoice_pending_at_aeat'];

/** A share that is never used up. */
const MUCH = { perSecond: 1_000_000, saved: 1_000_000 };

let service: TestService;
let there: ExistingObjects;
let keys: Record<Environment, string>;
beforeAll(async () => {
  const shares = new Shares({ reading: MUCH, issuing: MUCH });
  service = await testService({ VALIDATIONS_PER_MINUTE: '100000' }, { shares });
  there = await createOneOfEach(service, isFuzz ? 60 : 4);
  const { test: tested, live } = service.company;
  const clocked = (await createCompany(service.db)).test;
  keys = { test: tested.key, live: live.key, clocked: clocked.key };
});
afterAll(() => service.close());

async function send({ operation, url, environment, headers, body }: SchemaRequest) {
  const [method = ''] = operation.split(' ');
  const response = await service.server.inject({
    method: method as 'GET',
    url,
    headers: {
      authorization: `Bearer ${keys[environment]}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === null ? {} : { payload: Buffer.from(body) }),
  });
  const answered = new Headers(response.headers as Record<string, string>);
  const isCoded = answered.has('content-encoding');
  const isJson = answered.get('content-type')?.includes('json') === true;
  const status = response.statusCode;
  // What is compressed has the schema of what is not; that it can be read, other tests say.
  const read = () => (isJson ? response.json() : response.payload);
  return {
    method,
    path: url.split('?', 1)[0]!,
    isCoded,
    status,
    headers: answered,
    body: isCoded ? null : read(),
  };
}

type Answered = Awaited<ReturnType<typeof send>>;

function faultOf(answer: Answered): string | null {
  const { method, path, isCoded, status, body } = answer;
  if (isCoded) return status < 500 ? null : `${status}`;
  if (status >= 500 && !WAITING.includes(body.code)) return `${status} ${body.code}`;
  return undocumented(method, path, answer);
}

test(
  `of ${REQUESTS} requests made of the OpenAPI document each is answered as documented (seed ${seed})`,
  async () => {
    const ends = new Map<string, Map<number, number>>();
    /** One request for each fault that was found. */
    const faults = new Map<string, string>();
    const batch = fc.array(schemaRequest(there), { minLength: AT_ONCE, maxLength: AT_ONCE });
    for (const requests of fc.sample(batch, { seed, numRuns: Math.ceil(REQUESTS / AT_ONCE) })) {
      const answers = await Promise.all(requests.map(send));
      for (const [index, answer] of answers.entries()) {
        const request = requests[index]!;
        const fault = faultOf(answer);
        if (fault !== null)
          faults.set(`${request.operation}: ${fault}`, JSON.stringify({ request, body: shown(answer.body) }));
        const statuses = ends.get(request.operation) ?? new Map<number, number>();
        ends.set(request.operation, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1));
      }
    }
    expect(Object.fromEntries([...faults].slice(0, 20))).toEqual({});

    // The run has come past the first look at a request: things were issued, and refused by the rules of an invoice.
    const issuing = ends.get('POST /v1/invoices')!;
    for (const status of [201, 400, 422]) expect(issuing.get(status) ?? 0, String(status)).toBeGreaterThan(0);
    if (REQUESTS >= 10_000) expect([...ends.keys()].sort()).toEqual([...operations.keys()].sort());
    if (isFuzz) for (const [name, counts] of ends) print(name, counts);
  },
  // Only what has stopped takes longer, also where two processors are shared with twenty programs.
  60_000 + REQUESTS * 200,
);

/** A file is seen well enough by how it begins. */
const shown = (body: unknown) => (typeof body === 'string' ? body.slice(0, 100) : body);

function print(name: string, counts: ReadonlyMap<number, number>): void {
  const text = [...counts]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(`${name}  ${text.join(', ')}\n`);
}
