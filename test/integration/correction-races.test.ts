import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { camelKeys } from '../../src/ground/lib/case.ts';
import type { Services } from '../../src/services.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { type Check, issueInvoice } from '../../src/subjects/issuing/issue-invoice.ts';
import { type InvoiceRequest, invoiceRequest } from '../../src/subjects/issuing/request.ts';
import { amendRecord } from '../../src/subjects/rectifying/amend-record.ts';
import { amendmentRequest } from '../../src/subjects/rectifying/amended-content.ts';
import { checkRectification } from '../../src/subjects/rectifying/check-rectification.ts';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { holdChain, untilWaiting, withSlowRegisters } from '../support/database/held-locks.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  ANA,
  codeOf,
  decideRecords,
  differences,
  operatorOf,
  persistedCounts,
  substitution,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

// Two processes on one database: what is queued in one cannot order what the other does.
let one: TestService;
let other: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  one = await testService();
  other = await testService({}, { beside: one });
  operator = await operatorOf(other);
});
afterAll(async () => {
  await other.close();
  await one.close();
});

afterEach(async () => {
  for (const { environmentId } of [one.company.test, one.company.live]) {
    expect((await verifyEnvironment(one.db.pool, environmentId))?.findings).toEqual([]);
  }
});

type Issued = { id: string; type: string };
type Kind = 'test' | 'live';

async function issued(body: object, kind: Kind = 'test'): Promise<Issued> {
  const answer = await one.call('POST', '/v1/invoices', { body, key: one.company[kind].key });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return answer.body;
}

/** One of those who race: what they do, and all that it may leave behind when they win. */
type Racer = { run: () => Promise<string | null>; leaves: Record<string, number> };

const ISSUED = { numbers: 1, invoices: 1, records: 1, jobs: 1 };
const rectifies = (body: object): Racer => ({
  async run() {
    const answer = await one.call('POST', '/v1/invoices', { body });
    return answer.status === 201 ? null : answer.body.code;
  },
  leaves: ISSUED,
});
const voids = ({ id }: Issued): Racer => ({
  run: async () => codeOf(await operator.voidInvoice(id)),
  leaves: { records: 1, voids: 1, acts: 1 },
});
const exchanges = (...tickets: Issued[]): Racer => ({
  run: async () =>
    codeOf(await operator.exchangeInvoices({ ticketIds: tickets.map(({ id }) => id), recipient: ANA })),
  leaves: { ...ISSUED, exchanges: tickets.length, acts: 1 },
});

/** Both have passed their checks and wait for the chain, the first before the second; then they may go on. */
async function race(first: Racer, second: Racer): Promise<(string | null)[]> {
  // An environment has one job for all of its documents.
  await one.owner.query('delete from graphile_worker._private_jobs');
  const before = (await persistedCounts(one.db)) as Record<string, number>;
  const chain = await holdChain(one.db, one.company.test.environmentId);
  const running = [first.run()];
  await untilWaiting(one.db, 1);
  running.push(second.run());
  await untilWaiting(one.db, 2);
  await chain.release();
  const codes = await Promise.all(running);
  const after = (await persistedCounts(one.db)) as Record<string, number>;
  const left = Object.fromEntries(
    Object.entries(after).map(([what, count]) => [what, count - before[what]!]),
  );
  const nothing = Object.fromEntries(Object.keys(after).map((what) => [what, 0]));
  expect(left).toEqual({ ...nothing, ...first.leaves });
  return codes;
}

/** A rectification by way of the other process. */
const rectifiesBeside = (body: object): Racer => ({
  ...rectifies(body),
  async run() {
    const answer = await other.call('POST', '/v1/invoices', { body });
    return answer.status === 201 ? null : answer.body.code;
  },
});

describe('of two who race for one head, the first wins and the second learns why', () => {
  test('two rectifications', async () => {
    const invoice = await issued(aCompleteInvoice());
    const delta = differences(invoice, -100);
    expect(await race(rectifies(delta), rectifiesBeside(delta))).toEqual([null, 'invoice_not_family_tip']);
    const replaced = await issued(aCompleteInvoice());
    expect(
      await race(rectifies(substitution(replaced, 100)), rectifiesBeside(differences(replaced, -100))),
    ).toEqual([null, 'invoice_already_replaced']);
  });

  test('two rectifications of one invoice issued elsewhere', async () => {
    const naming = (number: string, method: string) => ({
      ...aCompleteInvoice(),
      rectifies: {
        external: { number, issued_on: '2025-01-31', rectified_amounts: { base: 20_000, tax: 4_200 } },
        method,
      },
    });
    const delta = naming('RACE-1', 'differences');
    expect(await race(rectifies(delta), rectifiesBeside(delta))).toEqual([null, 'invoice_not_family_tip']);
    expect(
      await race(
        rectifies(naming('Race-2', 'substitution')),
        rectifiesBeside(naming('RACE-2', 'differences')),
      ),
    ).toEqual([null, 'invoice_already_replaced']);
  });

  test('a rectification and a void', async () => {
    const [first, second] = [await issued(aCompleteInvoice()), await issued(aCompleteInvoice())];
    expect(await race(rectifies(differences(first, -1_000)), voids(first))).toEqual([
      null,
      'invoice_not_family_tip',
    ]);
    expect(await race(voids(second), rectifies(differences(second, -1_000)))).toEqual([
      null,
      'invoice_already_voided',
    ]);
  });

  test('a rectification and an exchange', async () => {
    const [first, second] = [await issued(aSimplifiedInvoice()), await issued(aSimplifiedInvoice())];
    expect(await race(rectifies(differences(first, -1_000)), exchanges(first))).toEqual([
      null,
      'invoice_not_family_tip',
    ]);
    expect(await race(exchanges(second), rectifies(differences(second, -1_000)))).toEqual([
      null,
      'invoice_has_live_canje',
    ]);
  });

  test('a void and an exchange', async () => {
    const [first, second] = [await issued(aSimplifiedInvoice()), await issued(aSimplifiedInvoice())];
    expect(await race(voids(first), exchanges(first))).toEqual([null, 'invoice_already_voided']);
    expect(await race(exchanges(second), voids(second))).toEqual([null, 'invoice_has_live_canje']);
  });

  test('two voids', async () => {
    const invoice = await issued(aCompleteInvoice());
    expect(await race(voids(invoice), voids(invoice))).toEqual([null, 'invoice_already_voided']);
  });

  test('the void of a rectificativa and a correction of it', async () => {
    const invoice = await issued(aCompleteInvoice());
    const delta = await issued(differences(invoice, -100));
    expect(await race(voids(delta), rectifies(differences(delta, -100)))).toEqual([
      null,
      'invoice_already_voided',
    ]);
    await issued(differences(invoice, -100));
  });

  test('many rectifications over two processes', async () => {
    const invoice = await issued(aCompleteInvoice());
    const concurrent = [one, other, one, other, one, other].map(async (service, index) => {
      const answer = await service.call('POST', '/v1/invoices', { body: differences(invoice, -index - 5) });
      return answer.body.code ?? 'won';
    });
    const outcomes = (await Promise.all(concurrent)).sort();
    expect(outcomes).toEqual([...Array(5).fill('invoice_not_family_tip'), 'won']);
  });
});

/** The same call as REST makes, with the given services. */
async function rectifyWith(services: Services, body: object): Promise<string | null> {
  const caller = (await services.authenticator.merchant(`Bearer ${one.company.live.key}`))!;
  const request = invoiceRequest.parse(camelKeys(body)) as InvoiceRequest;
  const check: Check = checkRectification;
  const { outcome } = await issueInvoice(services, caller, request, {
    ...{ key: null, sent: body, sign: () => '', check },
  });
  return isRefusal(outcome) ? outcome.code : null;
}

async function amendWith(services: Services, input: object): Promise<string | null> {
  const outcome = await amendRecord(
    services,
    { actor: 'cli:test', within: null },
    amendmentRequest.parse(input),
  );
  return isRefusal(outcome) ? outcome.code : null;
}

describe('between the answer of the register and the write', () => {
  let invoice: Issued;
  const NEW = { recipient: { name: 'Construcciones del Norte SA', tax_id: 'A39200019' } };

  /** Runs `work` while a request waits for the register, and gives what became of the request. */
  async function meanwhile(
    request: (services: Services) => Promise<string | null>,
    work: () => Promise<void>,
  ): Promise<string | null> {
    invoice = await issued(aCompleteInvoice(), 'live');
    await decideRecords(one.db, invoice.id, 'registered_with_errors');
    const slow = withSlowRegisters(one.services, 'live');
    const outcome = request(slow.services);
    await slow.reached;
    await work();
    const before = await persistedCounts(one.db);
    slow.answer();
    const code = await outcome;
    if (code !== null) expect(await persistedCounts(one.db)).toEqual(before);
    return code;
  }
  const amends = async (parts: object = { description: 'Otra' }): Promise<void> => {
    expect(codeOf(await operator.amendRecord({ invoiceId: invoice.id, ...parts }))).toBeNull();
  };

  test('nothing happens, and the rectificativa is issued', async () => {
    const request = (services: Services) => rectifyWith(services, substitution(invoice, 100, NEW));
    expect(await meanwhile(request, async () => {})).toBeNull();
  });

  test('the recipient is amended: it has changed during validation', async () => {
    const request = (services: Services) => rectifyWith(services, substitution(invoice, 100, NEW));
    const code = await meanwhile(request, async () => {
      await amends({ recipient: { name: 'Garcia Perez Ana' } });
      await decideRecords(one.db, invoice.id, 'registered');
    });
    expect(code).toBe('recipient_changed_during_validation');
    // The same request again succeeds, on what is declared now.
    expect(await rectifyWith(one.services, substitution(invoice, 100, NEW))).toBeNull();
  });

  test('the record is amended and still on its way: what was accepted is corrected', async () => {
    const request = (services: Services) => rectifyWith(services, substitution(invoice, 100, NEW));
    expect(await meanwhile(request, () => amends())).toBeNull();
  });

  test('the invoice is voided', async () => {
    const request = (services: Services) => rectifyWith(services, substitution(invoice, 100, NEW));
    const code = await meanwhile(request, async () => {
      await operator.voidInvoice(invoice.id);
    });
    expect(code).toBe('invoice_already_voided');
  });

  const amending = (services: Services) =>
    amendWith(services, { invoiceId: invoice.id, reason: 'x', recipient: { name: 'Garcia Perez Ana' } });

  test('an amendment is overtaken by another, whatever has become of that', async () => {
    expect(await meanwhile(amending, () => amends())).toBe('invoice_pending_at_aeat');
    const code = await meanwhile(amending, async () => {
      await amends();
      await decideRecords(one.db, invoice.id, 'registered_with_errors');
    });
    expect(code).toBe('recipient_changed_during_validation');
  });

  test('an amendment is overtaken by a void', async () => {
    const code = await meanwhile(amending, async () => {
      await operator.voidInvoice(invoice.id);
    });
    expect(code).toBe('invoice_already_voided');
  });

  test('an amendment is overtaken by nothing', async () => {
    expect(await meanwhile(amending, async () => {})).toBeNull();
  });
});

describe('skipping a record while it is being sent', () => {
  test('is refused from shortly before it ends', async () => {
    const { id } = await issued(aCompleteInvoice(), 'live');
    const recordId = (await operator.readInvoice(id)).data.result.records[0].id;
    const left = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const { environmentId, chainId } = one.company.live;
    const real = await one.services.agencyClients.clientFor(environmentId);
    const slow: typeof real = {
      ...real,
      async post(...message) {
        left.resolve();
        await answered.promise;
        return real.post(...message);
      },
    };
    const { db, log } = one.services;
    await db.pool.query("update chain_dispatch set next_send_at = now() - interval '1 second'");
    const sending = submitChain({ db, log, agency: slow }, { environmentId, chainId });
    await left.promise;
    expect(codeOf(await operator.skipRecord(recordId))).toBe('invalid_request');
    answered.resolve();
    await sending;
    expect((await operator.readInvoice(id)).data.result.verifactu.status).toBe('registered');
  });
});
