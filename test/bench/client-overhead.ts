import { once } from 'node:events';
import { INVOICE, issueOne } from './invoice.ts';
import { forkProgram, type RunningService } from './workspace.ts';

/** What a request costs by `@lacre/client` beside bare fetch: processor time of the caller, and how long it waits. */

/** Of one block of requests: each one's processor time, and the latency in the middle. */
export type ClientUse = { readonly cpuMicros: number; readonly p50Ms: number };

/** Blocks of the same requests by the client and by fetch, each pair one after the other. */
export type ClientTask = {
  readonly name: string;
  readonly blocks: { readonly ours: ClientUse; readonly bare: ClientUse }[];
};

export type ClientPlan = {
  readonly baseUrl: string;
  readonly key: string;
  readonly invoiceId: string;
  readonly invoice: object;
  readonly seconds: number;
};

/** Asks the service for invoices of a company that has a page of them. */
export async function clientOverhead(
  { baseUrl }: Pick<RunningService, 'baseUrl'>,
  key: string,
  seconds: number,
): Promise<ClientTask[]> {
  let invoiceId = '';
  for (let issued = 0; issued < 25; issued += 1) ({ id: invoiceId } = await issueOne(baseUrl, key));
  const program = forkProgram('client-load');
  program.send({ baseUrl, key, invoiceId, invoice: INVOICE, seconds } satisfies ClientPlan);
  const [found] = (await once(program, 'message')) as [ClientTask[]];
  return found;
}

/** Of pairs of blocks the ratio in the middle, ours to bare: what disturbs one pair does not count. */
export function ratioOf({ blocks }: ClientTask, of: keyof ClientUse): number {
  const ratios = blocks.map(({ ours, bare }) => ours[of] / bare[of]).sort((one, other) => one - other);
  return ratios[Math.floor(ratios.length / 2)]!;
}

/** The figure of one side in the middle of its blocks. */
export function medianOf({ blocks }: ClientTask, side: 'ours' | 'bare', of: keyof ClientUse): number {
  const figures = blocks.map((pair) => pair[side][of]).sort((one, other) => one - other);
  return figures[Math.floor(figures.length / 2)]!;
}
