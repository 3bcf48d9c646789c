import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { freeJobsOfDeadWorkers, hasProcessDied } from '../../src/ground/queue/dead-workers.ts';
import { type Deliverer, deliver, type LaneSchedule } from '../../src/subjects/webhooks/deliver.ts';
import { statementsOf } from '../support/database/statements.ts';
import { aDeliverer } from '../support/webhooks/deliver-once.ts';
import type { Receiver } from '../support/webhooks/receiver.ts';
import { aShopWithWebhooks } from '../support/webhooks/shop.ts';

const { given, create, issue, run, deliveries } = aShopWithWebhooks();

describe('an endpoint that takes long', () => {
  const hanging: ServerResponse[] = [];
  const answerAll = () => {
    for (const response of hanging.splice(0)) response.writeHead(204).end();
  };
  const lane = (deliverer: Deliverer, which: 'quick' | 'others') =>
    deliver(deliverer, given.company.test.environmentId, which);

  test('is not waited for: its attempt continues, and no other worker begins it again meanwhile', async () => {
    const deliverer = aDeliverer(given.service.services, given.service.db);
    given.receiver.answer = (response) => hanging.push(response);
    const { id } = await create(['invoice.issued']);
    await issue();
    const { others } = await lane(deliverer, 'others');
    await expect.poll(() => hanging.length).toBe(1);
    expect((others as Date).getTime()).toBeGreaterThan(Date.now());
    await lane(deliverer, 'others');
    await lane(deliverer, 'quick');
    expect(given.receiver.received).toHaveLength(1);
    expect(await deliveries(id)).toEqual([]);
    answerAll();
    await deliverer.underWay.ended();
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: [{ http_status: 204 }] }]);
    await lane(deliverer, 'others');
    expect(given.receiver.received).toHaveLength(1);
  });

  test('leaves the fast lane, and returns once it is fast', async () => {
    const deliverer = aDeliverer(given.service.services, given.service.db);
    const { id } = await create(['invoice.issued']);
    const isQuick = async () =>
      (await given.service.owner.query('select quick from webhook_endpoint where id = $1', [id])).rows[0]
        .quick;
    expect(await isQuick()).toBe(false);
    await given.service.owner.query('update webhook_endpoint set quick = true where id = $1', [id]);
    given.receiver.answer = (response) => hanging.push(response);
    await issue();
    await lane(deliverer, 'quick');
    expect(await isQuick()).toBe(false);
    await expect.poll(() => hanging.length).toBe(1);
    answerAll();
    await deliverer.underWay.ended();
    expect(await isQuick()).toBe(false);
    given.receiver.answer = (response) => response.writeHead(204).end();
    const again = async () => {
      await issue();
      await lane(deliverer, 'others');
      await deliverer.underWay.ended();
      return isQuick();
    };
    await expect.poll(again).toBe(true);
  });

  test('is sent the same again under the same id if the process ended meanwhile', async () => {
    const dying = aDeliverer(given.service.services, given.service.db);
    given.receiver.answer = (response) => hanging.push(response);
    const { id } = await create(['invoice.issued']);
    await issue();
    await lane(dying, 'others');
    await expect.poll(() => hanging.length).toBe(1);
    await given.service.owner.query('update webhook_endpoint set held_until = now() where id = $1', [id]);
    given.receiver.answer = (response) => response.writeHead(204).end();
    await run();
    const ids = given.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    answerAll();
    await dying.underWay.ended();
  });

  test('receives it again from the next process when this one stops meanwhile', async () => {
    const stopping = aDeliverer(given.service.services, given.service.db);
    given.receiver.answer = (response) => hanging.push(response);
    const { id } = await create(['invoice.issued']);
    await issue();
    await lane(stopping, 'others');
    await expect.poll(() => hanging.length).toBe(1);
    await stopping.underWay.stop();
    expect(await deliveries(id)).toEqual([]);
    given.receiver.answer = (response) => response.writeHead(204).end();
    await run();
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: [{ http_status: 204 }] }]);
    hanging.splice(0);
  });

  test('has one attempt at a time until it has accepted a delivery', async () => {
    const deliverer = aDeliverer(given.service.services, given.service.db);
    given.receiver.answer = (response) => hanging.push(response);
    await create(['invoice.issued']);
    for (let n = 0; n < 5; n += 1) await issue();
    await lane(deliverer, 'others');
    await expect.poll(() => hanging.length).toBe(1);
    await deliverer.underWay.stop();
    expect(given.receiver.received).toHaveLength(1);
    hanging.splice(0);
  });
});

describe('a quick endpoint', () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = await create(['invoice.issued']));
  });

  /** One turn with what was issued before it; another one where the machine was too busy for it to be quick and whole. */
  async function turnWith(invoices: number, change: (deliverer: Deliverer) => Deliverer = (same) => same) {
    for (let tries = 0; tries < 20; tries += 1) {
      await given.service.owner.query('update webhook_endpoint set quick = true where id = $1', [id]);
      for (let issued = 0; issued < invoices; issued += 1) await issue();
      const deliverer = change(aDeliverer(given.service.services, given.service.db));
      given.receiver.received.length = 0;
      let schedule: LaneSchedule | undefined;
      const sent = await statementsOf(async () => {
        schedule = await deliver(deliverer, given.company.test.environmentId, 'quick');
      });
      if (schedule!.others === null && schedule!.quick === null)
        return { sent, ids: new Set(given.receiver.received.map(idOf)) };
      await deliverer.underWay.ended();
      await run();
    }
    throw new Error('no turn was quick');
  }
  const idOf = ({ headers }: Receiver['received'][number]) => headers['webhook-id'];

  test('receives what is issued meanwhile in its turn', async () => {
    const { ids } = await turnWith(1, (deliverer) => {
      let more = 2;
      const after: Deliverer['events']['after'] = async (...query) => {
        const found = await deliverer.events.after(...query);
        if (more-- > 0) await issue();
        return found;
      };
      return { ...deliverer, events: { ...deliverer.events, after } };
    });
    expect(ids.size).toBe(3);
  });

  test('costs a number of statements that does not grow with what waits', async () => {
    /**
     * The lane is taken and left; three times what waits, the secrets; the events, their environment, changes and invoices; what
     * became of them.
     */
    const TURN = 11;
    expect((await turnWith(1)).sent).toHaveLength(TURN);
    // Several events need one more, which finds how many lines their invoices have, so that a read of these has a limit.
    for (const waiting of [2, 5]) {
      const { sent, ids } = await turnWith(waiting);
      expect(sent).toHaveLength(TURN + 1);
      expect(ids.size).toBe(waiting);
    }
  });
});

describe('endpoints that hang', () => {
  const MANY = 12;
  /** More than these may be needed where the machine does not let them end within the same moment. */
  const FURTHER_MOMENTS = 6;

  test('cost together about as many statements as one, each time that they are tried', async () => {
    const deliverer = aDeliverer(given.service.services, given.service.db);
    const { environmentId } = given.company.test;
    const hanging: ServerResponse[] = [];
    given.receiver.answer = (response) => hanging.push(response);
    const tried = async (endpoints: number) =>
      statementsOf(async () => {
        await deliver(deliverer, environmentId, 'others');
        await expect.poll(() => hanging.length).toBe(endpoints);
        for (const response of hanging.splice(0)) response.writeHead(500).end();
        await deliverer.underWay.ended();
      });
    const makeDue = () =>
      given.service.owner.query(
        `update webhook_delivery set next_at = now() where environment_id = $1 and status = 'pending'`,
        [environmentId],
      );
    await create(['invoice.issued']);
    await issue();
    const one = [(await tried(1)).length];
    await makeDue();
    one.push((await tried(1)).length);
    await given.service.owner.query(
      `update webhook_endpoint set status = 'disabled', disabled_reason = 'tried'`,
    );
    for (let made = 0; made < MANY; made += 1) await create(['invoice.issued']);
    await issue();
    expect((await tried(MANY)).length).toBeLessThan(one[0]! + FURTHER_MOMENTS);
    await makeDue();
    expect((await tried(MANY)).length).toBeLessThan(one[1]! + FURTHER_MOMENTS);
    const { rows } = await given.service.owner.query(
      `select count(*)::int as count from webhook_delivery d join webhook_endpoint e on e.environment_id = d.environment_id
         and e.id = d.endpoint_id where d.environment_id = $1 and attempts = 2 and held_until is null`,
      [environmentId],
    );
    expect(rows).toEqual([{ count: MANY + 1 }]);
  });
});

test('endpoints of an environment that are not fast begin together, in a turn on the event loop; fast ones need none', async () => {
  const waited: (number | string)[] = [];
  const { environmentId } = given.company.test;
  const deliverer = {
    ...aDeliverer(given.service.services, given.service.db),
    eventLoop: {
      async waitTurn(owner: number | string) {
        expect(given.receiver.received).toEqual([]);
        await setImmediate();
        waited.push(owner);
      },
    },
  };
  for (let made = 0; made < 5; made += 1) await create(['invoice.issued']);
  await issue();
  await deliver(deliverer, environmentId, 'others');
  await deliverer.underWay.ended();
  expect(given.receiver.received).toHaveLength(5);
  expect(waited).toEqual([environmentId]);
  await given.service.owner.query('update webhook_endpoint set quick = true');
  await issue();
  await deliver(deliverer, environmentId, 'quick');
  expect(given.receiver.received).toHaveLength(10);
  expect(waited).toEqual([environmentId]);
});

test('a receiver that fails what it is sent is not sent all that waits', async () => {
  given.receiver.answer = (response) => response.writeHead(500).end();
  const { id } = await create(['invoice.issued']);
  for (let n = 0; n < 5; n += 1) await issue();
  const deliverer = aDeliverer(given.service.services, given.service.db);
  await deliver(deliverer, given.company.test.environmentId, 'others');
  await deliverer.underWay.ended();
  expect(given.receiver.received).toHaveLength(1);
  expect(await deliveries(id)).toHaveLength(1);
});

test('an endpoint whose secret cannot be decrypted does not delay the others', async () => {
  const { id } = await create(['invoice.issued']);
  await create(['invoice.issued']);
  await given.service.owner.query(`update webhook_secret set key_name = 'gone' where endpoint_id = $1`, [id]);
  await issue();
  const deliverer = aDeliverer(given.service.services, given.service.db);
  await deliver(deliverer, given.company.test.environmentId, 'others');
  await deliverer.underWay.ended();
  expect(given.receiver.received).toHaveLength(1);
});

describe('a lane that another process holds', () => {
  const taken = (until: string) =>
    given.service.owner.query(
      `insert into webhook_lane values ($1, false, now() + $2::interval)
       on conflict (environment_id, quick) do update set taken_until = excluded.taken_until`,
      [given.company.test.environmentId, until],
    );
  const jobs = async () =>
    (
      await given.service.owner.query('select from graphile_worker._private_jobs where key = any($1)', [
        ['deliver', 'retry'].map((task) => `${task}_webhooks:${given.company.test.environmentId}`),
      ])
    ).rows.length;

  test('is neither woken nor taken by others until its time is over', async () => {
    const deliverer = aDeliverer(given.service.services, given.service.db);
    await create(['invoice.issued']);
    await taken('1 hour');
    await issue();
    expect(await jobs()).toBe(0);
    const { others } = await deliver(deliverer, given.company.test.environmentId, 'others');
    expect(given.receiver.received).toEqual([]);
    expect((others as Date).getTime()).toBeGreaterThan(Date.now());
    await taken('-1 second');
    await deliver(deliverer, given.company.test.environmentId, 'others');
    await deliverer.underWay.ended();
    expect(given.receiver.received).toHaveLength(1);
    await issue();
    expect(await jobs()).toBe(1);
  });

  test('is checked again by it for what was appended meanwhile', async () => {
    const deliverer = aDeliverer(given.service.services, given.service.db);
    given.receiver.answer = (response) => response.writeHead(500).end();
    await create(['invoice.issued']);
    await issue();
    let more = 1;
    const after: Deliverer['events']['after'] = async (...query) => {
      const found = await deliverer.events.after(...query);
      if (more-- > 0) await issue();
      return found;
    };
    const busy = { ...deliverer, events: { ...deliverer.events, after } };
    const { others } = await deliver(busy, given.company.test.environmentId, 'others');
    await deliverer.underWay.ended();
    expect(others).toBe('at once');
  });
});

test('a process that stopped sending heartbeats is noticed at the next check, and its jobs are released', async () => {
  const { owner, db } = given.service;
  const silentFor = (seconds: number) =>
    owner.query(
      `insert into service_process (id, started_at, beat_at, issues, worker_pools)
       values ('proc_dead', now(), now() - $1 * interval '1 second', false, '{pool-dead}')
       on conflict (id) do update set beat_at = excluded.beat_at`,
      [seconds],
    );
  await owner.query(`select graphile_worker.add_job('wake_schedules', job_key => 'of-the-dead')`);
  await owner.query(
    `update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now() - interval '20 seconds' where key = 'of-the-dead'`,
  );
  for (const seconds of [2, 3_600]) {
    await silentFor(seconds);
    expect(await hasProcessDied(db.pool)).toBe(false);
  }
  await silentFor(20);
  expect(await hasProcessDied(db.pool)).toBe(true);
  expect(await freeJobsOfDeadWorkers(db.pool)).toBe(1);
  const { rows } = await owner.query(
    `delete from graphile_worker._private_jobs where key = 'of-the-dead' and locked_by is null returning id`,
  );
  expect(rows).toHaveLength(1);
  await owner.query(`delete from service_process where id = 'proc_dead'`);
});
