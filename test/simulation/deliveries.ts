import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { createEventSource } from '../../jobs/event-source.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { AttemptsUnderWay } from '../../src/subjects/webhooks/attempts-under-way.ts';
import { deliver } from '../../src/subjects/webhooks/deliver.ts';
import { createEndpoint } from '../../src/subjects/webhooks/endpoints.ts';
import type { EventSource } from '../../src/subjects/webhooks/event-source.ts';
import type { Member, SimulationContext } from './context.ts';
import { crashingWorker } from './crashing-worker.ts';
import { type Random, seeded } from './random.ts';

/** What a receiver took: by sequence the ids under which it came, and its types. */
export type Arrived = ReadonlyMap<number, ReadonlySet<string>>;

/** An event as the journal has it. */
export type EventEntry = { readonly position: number; readonly type: string };

/** What the receiver of an environment should have got and has not, and what came under two ids. */
export function deliveryFaults(entries: readonly EventEntry[], arrived: Arrived): string[] {
  return entries.flatMap(({ position, type }) => {
    const names = [...(arrived.get(position) ?? [])];
    if (names.length === 0) return [`event ${position} (${type}) was never delivered`];
    const wrong = names.length > 1 || !names[0]!.endsWith(` ${type}`);
    return wrong ? [`event ${position} (${type}) was delivered as ${names.join(' and as ')}`] : [];
  });
}

const MINUTE = 60_000;
/** By then whatever was put off is due again. */
const LONGEST_PAUSE = 25 * 60 * MINUTE;
const MAX_TURNS = 200;

/**
 * An endpoint of each company, and its receiver: it fails, breaks off, or takes an event and breaks off before it has said so,
 * until it is told to be well.
 */
export class Deliveries {
  /** Requests, taken or not. */
  requests = 0;
  readonly #simulation: SimulationContext;
  readonly #members: readonly Member[];
  readonly #server: Server;
  readonly #random: Random;
  readonly #events: EventSource;
  readonly #arrived = new Map<number, Map<number, Set<string>>>();
  readonly #from = new Map<number, number>();
  #well = false;

  private constructor(simulation: SimulationContext, members: readonly Member[], seed: number) {
    this.#simulation = simulation;
    this.#members = members;
    this.#random = seeded(seed);
    this.#events = createEventSource(simulation.services);
    this.#server = createServer(async (request, response) => {
      const body = await text(request).catch(() => null);
      if (body === null) return;
      this.requests += 1;
      const chance = this.#well ? 1 : this.#random.integer(1, 100) / 100;
      if (chance <= 0.1) return void response.writeHead(500).end();
      if (chance <= 0.15) return void request.socket.destroy();
      const { sequence, type } = JSON.parse(body) as { sequence: number; type: string };
      const ofEnvironment = this.#arrived.get(Number(request.url!.slice(1)))!;
      const names = ofEnvironment.get(sequence) ?? new Set();
      ofEnvironment.set(sequence, names.add(`${request.headers['webhook-id']} ${type}`));
      if (chance <= 0.25) request.socket.destroy();
      else response.writeHead(204).end();
    });
  }

  /** Has every company listen to all that happens from now on. */
  static async open(
    simulation: SimulationContext,
    members: readonly Member[],
    seed: number,
  ): Promise<Deliveries> {
    const made = new Deliveries(simulation, members, seed);
    await once(made.#server.listen(0, '127.0.0.1'), 'listening');
    const { port } = made.#server.address() as AddressInfo;
    const { db, encryptionKeys } = simulation.services;
    for (const { environmentId } of members) {
      const outcome = await createEndpoint({ db, keys: encryptionKeys, allowPrivate: true }, environmentId, {
        url: `http://127.0.0.1:${port}/${environmentId}`,
        eventTypes: ['*'],
      });
      if (isRefusal(outcome)) throw new Error(outcome.detail);
      made.#arrived.set(environmentId, new Map());
      made.#from.set(environmentId, outcome.endpoint.reachedSequence);
    }
    return made;
  }

  /** What a worker does in one turn of each company; with `dies` it dies at that moment of it. */
  async work(dies: number | null): Promise<void> {
    const { services, agencyClient } = this.#simulation;
    const worker = crashingWorker(services.db, agencyClient, dies);
    const underWay = new AttemptsUnderWay();
    const deliverer = {
      ...{ db: worker.db, log: services.log, events: this.#events, underWay },
      ...{ keys: services.encryptionKeys, allowPrivate: true, eventLoop: services.eventLoop },
    };
    const turns = async () => {
      for (const { environmentId } of this.#members) {
        for (const lane of ['others', 'quick'] as const) await deliver(deliverer, environmentId, lane);
      }
      await underWay.ended();
    };
    await Promise.race([turns(), worker.death]);
    // What a dead one had under way breaks off, and nothing of it is noted.
    void underWay.stop();
  }

  /** With a receiver that is well: works until nothing waits any more. Whether it came to that. */
  async drain(): Promise<boolean> {
    this.#well = true;
    await this.#simulation.pass(LONGEST_PAUSE);
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      await this.work(null);
      if ((await this.#waiting()) === 0) return true;
      await this.#simulation.pass(MINUTE);
    }
    return false;
  }

  async #waiting(): Promise<number> {
    const { rows } = await this.#simulation.services.db.pool.query<{ count: number }>(
      `select count(*)::int as count from webhook_endpoint e join journal_head head using (environment_id)
        where environment_id = any($1) and (reached_sequence < head.position or exists (
          select from webhook_delivery d where d.environment_id = e.environment_id and d.status = 'pending'))`,
      [this.#members.map(({ environmentId }) => environmentId)],
    );
    return rows[0]!.count;
  }

  /** What is wrong with what arrived at a company. */
  async faults(pool: pg.Pool, { environmentId }: Member): Promise<string[]> {
    const { rows } = await pool.query<EventEntry>(
      'select position, type from journal_entry where environment_id = $1 and position > $2 order by position',
      [environmentId, this.#from.get(environmentId)],
    );
    return deliveryFaults(rows, this.#arrived.get(environmentId)!);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
