import { describe, expect, test } from 'vitest';
import { WEBHOOK_LIMITS } from '../../src/subjects/webhooks/limits.ts';
import { reapDeliveries } from '../../src/subjects/webhooks/reap.ts';
import { aShopWithWebhooks } from '../support/webhooks/shop.ts';

const { given, call, create, issue, run, deliveries } = aShopWithWebhooks();

const shown = async (id: string) => (await call('GET', `/v1/webhook_endpoints/${id}`)).body;
const owner = (statement: string, id: string) => given.service.owner.query(statement, [id]);

describe('an endpoint that accepts nothing', () => {
  const failing = () => {
    given.receiver.answer = (response) => response.writeHead(500).end();
  };

  /** Another attempt, as if it had failed for so long by then. */
  async function failsAgainAfter(time: string, id: string): Promise<void> {
    await owner(`update webhook_endpoint set failing_since = now() - interval '${time}' where id = $1`, id);
    await owner(
      "update webhook_delivery set next_at = now() where endpoint_id = $1 and status = 'pending'",
      id,
    );
    await run();
  }

  test('for five days is disabled, and not before', async () => {
    const { id } = await create(['invoice.issued']);
    failing();
    await issue();
    await run();
    await failsAgainAfter('4 days 23:50', id);
    expect(await shown(id)).toMatchObject({ status: 'active', disabled_reason: null });
    await failsAgainAfter('5 days', id);
    const disabled = await shown(id);
    expect(disabled).toMatchObject({
      ...{ status: 'disabled', disabled_reason: 'nothing was delivered to it for five days' },
    });
    const [event] = (await call('GET', '/v1/events?type=webhook_endpoint.disabled')).body.data;
    expect(event.data).toEqual({ object: disabled });
    const before = given.receiver.received.length;
    await failsAgainAfter('5 days', id);
    expect(given.receiver.received).toHaveLength(before);
  });

  test('has five days again after each success, and once it is enabled again', async () => {
    const { id } = await create(['invoice.issued']);
    failing();
    await issue();
    await run();
    given.receiver.answer = (response) => response.writeHead(204).end();
    await failsAgainAfter('6 days', id);
    failing();
    await issue();
    await run();
    expect(await shown(id)).toMatchObject({ status: 'active' });
    await failsAgainAfter('5 days', id);
    expect(await shown(id)).toMatchObject({ status: 'disabled' });
    await call('PATCH', `/v1/webhook_endpoints/${id}`, { status: 'active' });
    await issue();
    await run();
    expect(await shown(id)).toMatchObject({ status: 'active', disabled_reason: null });
  });
});

test('deliveries of the last 30 days are kept, and those that wait for longer', async () => {
  const { id } = await create(['invoice.issued']);
  await issue();
  await run();
  given.receiver.answer = (response) => response.writeHead(500).end();
  await issue();
  await run();
  const age = (days: number) =>
    owner(
      `update webhook_delivery set created_at = now() - interval '${days} days' where endpoint_id = $1`,
      id,
    );
  const kept = async () => {
    await reapDeliveries(given.service.db);
    return (await deliveries(id)).map(({ status }: { status: string }) => status).sort();
  };
  await age(29);
  expect(await kept()).toEqual(['delivered', 'pending']);
  await age(31);
  expect(await kept()).toEqual(['pending']);
});

test('a replay begins with the event of a sequence, or the first of a time, and leaves out none that waits', async () => {
  const { id } = await create(['invoice.issued']);
  const issued = [await issue(), await issue(), await issue()];
  await run();
  const again = async (from: string | number) => {
    given.receiver.received.length = 0;
    await call(
      'POST',
      `/v1/webhook_endpoints/${id}/replay`,
      typeof from === 'number' ? { from_sequence: from } : { from },
    );
    await run();
    return given.receiver.received.map(({ body }) => JSON.parse(body).data.object.id).sort();
  };
  const ids = issued.map((invoice) => invoice.id as string);
  const after = (milliseconds: number) =>
    new Date(Date.parse(issued[1].created_at) + milliseconds).toISOString();
  expect(await again(after(0))).toEqual(ids.slice(1).sort());
  expect(await again(after(0).replace('Z', '+00:00'))).toEqual(ids.slice(1).sort());
  expect(await again('2999-01-01T00:00:00Z')).toEqual([]);
  const [, second] = (await call('GET', '/v1/events?type=invoice.issued&order=asc')).body.data;
  expect(await again(second.sequence)).toEqual(ids.slice(1).sort());
  expect(await again(second.sequence + 1)).toEqual(ids.slice(2));
  await issue();
  expect(await again('2999-01-01T00:00:00Z')).toHaveLength(1);
});

test('of several that are created at once no more are than an environment may have', async () => {
  for (let made = 1; made < WEBHOOK_LIMITS.webhookEndpoints.value; made += 1) await create();
  const answers = await Promise.all(
    [1, 2, 3].map(() => call('POST', '/v1/webhook_endpoints', { url: given.url, event_types: ['*'] })),
  );
  expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
    ...[201, 'webhook_endpoint_limit_reached', 'webhook_endpoint_limit_reached'],
  ]);
  expect((await call('GET', '/v1/webhook_endpoints')).body.data).toHaveLength(
    WEBHOOK_LIMITS.webhookEndpoints.value,
  );
});
