import { setTimeout as pause } from 'node:timers/promises';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type PostResult, post } from '../support/processes/fleet.ts';

/** An acknowledged invoice. */
export type Acknowledged = {
  readonly environment: 'test' | 'live';
  readonly number: string;
  readonly id: string;
  readonly at: number;
};

export type Load = {
  /** All that were acknowledged so far. */
  readonly acknowledged: readonly Acknowledged[];
  /** Answers that no caller should ever get. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
};

/** Between two attempts of a caller that was told to come back. */
const AGAIN_MS = 100;

/**
 * Callers that issue one invoice after the other, in turn at each process: each sends the same request with the same key
 * until it is issued.
 */
export function issueUnderLoad(
  servers: readonly { readonly url: string }[],
  keys: { readonly test: string; readonly live: string },
  callersPerServer: number,
): Load {
  const acknowledged: Acknowledged[] = [];
  const faults: string[] = [];
  let stopping = false;
  let requests = 0;
  const call = async (environment: 'test' | 'live'): Promise<void> => {
    while (!stopping) {
      requests += 1;
      const request = {
        key: keys[environment],
        idempotencyKey: `k-${process.pid}-${requests}-${Math.random()}`,
        body: aSimplifiedInvoice(),
      };
      for (let attempt = requests; !stopping; attempt += 1) {
        const reply: PostResult = await post(servers[attempt % servers.length]!.url, request);
        const status = 'status' in reply ? reply.status : 0;
        if (status === 201 && 'body' in reply) {
          acknowledged.push({
            environment,
            number: reply.body.number,
            id: reply.body.id,
            at: performance.now(),
          });
          break;
        }
        // A key that another attempt still holds is free within seconds.
        if (status !== 0 && status !== 503 && status !== 409 && 'body' in reply)
          faults.push(`${status} ${reply.body?.code}`);
        await pause(AGAIN_MS);
      }
    }
  };
  const callers = (['test', 'live'] as const).flatMap((environment) =>
    Array.from({ length: callersPerServer }, () => call(environment)),
  );
  return {
    acknowledged,
    faults,
    async stop() {
      stopping = true;
      await Promise.all(callers);
    },
  };
}
