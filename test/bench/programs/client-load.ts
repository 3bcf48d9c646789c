import { type InvoiceRequest, LacreClient } from '@lacre/client';
import type { ClientPlan, ClientTask, ClientUse } from '../client-overhead.ts';

/**
 * Asks the same by the client and by bare fetch, in turn: some requests by the one, as many by the other, again and again, so
 * that whatever else the machine does falls on both. The processor time is that of this process, which does nothing else.
 */
const TASKS: Record<
  string,
  (plan: ClientPlan) => { ours: () => Promise<unknown>; bare: () => Promise<unknown> }
> = {
  'GET one': ({ baseUrl, key, invoiceId }) => {
    const lacre = new LacreClient({ baseUrl, key });
    return {
      ours: () => lacre.invoices.retrieve(invoiceId),
      bare: async () =>
        answerOf(await fetch(`${baseUrl}/v1/invoices/${invoiceId}`, { headers: authorized(key) })),
    };
  },
  'GET 25': ({ baseUrl, key }) => {
    const lacre = new LacreClient({ baseUrl, key });
    return {
      ours: () => lacre.invoices.list({ limit: 25 }).first(),
      bare: async () =>
        answerOf(await fetch(`${baseUrl}/v1/invoices?limit=25`, { headers: authorized(key) })),
    };
  },
  issue: ({ baseUrl, key, invoice }) => {
    const lacre = new LacreClient({ baseUrl, key });
    return {
      ours: () => lacre.invoices.create(invoice as InvoiceRequest),
      // As whoever wants not to issue twice has to.
      bare: async () =>
        answerOf(
          await fetch(`${baseUrl}/v1/invoices`, {
            method: 'POST',
            headers: {
              ...{ ...authorized(key), 'content-type': 'application/json' },
              'idempotency-key': crypto.randomUUID(),
            },
            body: JSON.stringify(invoice),
          }),
        ),
    };
  },
};

const authorized = (key: string) => ({ authorization: `Bearer ${key}` });

async function answerOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

/** Requests by one side before it is the other's turn: not so many that the machine changes meanwhile. */
const BLOCK = 50;
const CONNECTIONS = 4;

async function block(request: () => Promise<unknown>): Promise<ClientUse> {
  const before = process.cpuUsage();
  const latencies: number[] = [];
  const lane = async () => {
    while (latencies.length < BLOCK) {
      const begun = performance.now();
      await request();
      latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const { user, system } = process.cpuUsage(before);
  const sorted = latencies.sort((one, other) => one - other);
  return { cpuMicros: (user + system) / latencies.length, p50Ms: sorted[Math.floor(sorted.length / 2)]! };
}

process.once('message', async (plan: ClientPlan) => {
  const found: ClientTask[] = [];
  for (const [name, make] of Object.entries(TASKS)) {
    const { ours, bare } = make(plan);
    // Whatever is compiled, is.
    for (let n = 0; n < 5; n += 1) await block(n % 2 === 0 ? ours : bare);
    const blocks: ClientTask['blocks'] = [];
    const ends = performance.now() + plan.seconds * 1_000;
    for (let n = 0; performance.now() < ends || n < 20; n += 1) {
      // Neither is always the first.
      const [one, other] = n % 2 === 0 ? [ours, bare] : [bare, ours];
      const uses = [await block(one), await block(other)] as const;
      blocks.push(n % 2 === 0 ? { ours: uses[0], bare: uses[1] } : { ours: uses[1], bare: uses[0] });
    }
    found.push({ name, blocks });
  }
  process.send!(found);
  process.disconnect();
});
