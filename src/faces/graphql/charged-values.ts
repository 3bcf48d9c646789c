import { RequestCache } from '@pothos/plugin-scope-auth';
import type { GraphQLResolveInfo } from 'graphql';
import { Kind } from 'graphql';
import { Refusal } from '../../ground/errors/refusal.ts';
import type { Release } from '../../ground/lib/fair-semaphore.ts';
import type { Context } from './context.ts';
import { type Cost, costOfField, type Rows, valuesOf } from './cost.ts';
import { valueOrThrow } from './errors.ts';
import { GRAPHQL_LIMITS } from './limits.ts';

/** Reads below it are many and quick: a page of 25 invoices of 20 lines with everything in it has some 15,000 values. */
export const LARGE = 25_000;

/** The values of an invoice as REST shows it, and of each of its lines, with its taxes and reading them. */
const VALUES_OF_AN_INVOICE = 75;
const VALUES_OF_A_LINE = 25;

/** How many values so many invoices with so many lines have in the contract's form. */
export function valuesOfContract(invoices: number, lines: number): number {
  return invoices * VALUES_OF_AN_INVOICE + lines * VALUES_OF_A_LINE;
}

/** Of reading (accounts/entry/shares.ts). */
const VALUES_OF_A_POINT = 500;

/** What one request has been charged, and the room that it holds until it is answered. */
type Work = { values: number; release: Promise<Release> | null };

const works = new WeakMap<Context, Work>();

function workOf(context: Context): Work {
  let work = works.get(context);
  if (work === undefined) {
    work = { values: 0, release: null };
    works.set(context, work);
  }
  return work;
}

/** Whose share of the process the request takes. */
export function ownerOf({ caller }: Pick<Context, 'caller'>): number | string {
  if (caller === null) return 'no key';
  return caller.kind === 'merchant' ? caller.environmentId : caller.keyId;
}

/** `invalid_request`: what a query would return, and what it may. */
export function tooManyValues(values: number): Refusal {
  const limit = GRAPHQL_LIMITS.values.value;
  return new Refusal(
    'invalid_request',
    `The query costs ${values} values (fields, times the rows that are there); at most ${limit} are answered at once. Ask for fewer fields or a smaller page.`,
  );
}

/**
 * Charges the request, before they are read, with the rows that the field will answer; and waits, for large ones, until
 * there is room in memory. Refuses with `invalid_request` and the cost when a query from outside requests too much, and
 * with `service_unavailable` when too many large reads of the caller wait, or too many answers wait to be read. Answers
 * how many values the field will have.
 */
export async function chargeRows(
  context: Context,
  info: GraphQLResolveInfo,
  counts: Partial<Record<Rows, number>>,
  cost: Cost = costOfField(info),
): Promise<number> {
  return chargeValues(context, valuesOf(cost, counts), isOnlyField(info));
}

/** The same for values that are counted already; `isOnly`: the request reads nothing else. */
export async function chargeValues(context: Context, values: number, isOnly: boolean): Promise<number> {
  addValues(context, values);
  const work = workOf(context);
  if (work.release === null) {
    if (values < LARGE) return values;
    // All at once: a request that held some room and waited for more could wait for one that waits for it.
    const weight = isOnly ? values : GRAPHQL_LIMITS.values.value;
    work.release = acquireReading(context, weight);
  }
  await work.release;
  return values;
}

/**
 * A list whose length is known only now that it is there, such as the rates of an invoice: one item of it was charged with the
 * object that has it, and the request is charged for the others. Refuses as `chargeRows` does.
 */
export function charged<Items extends readonly unknown[]>(
  context: Context,
  info: GraphQLResolveInfo,
  items: Items,
): Items {
  const further = items.length - 1;
  if (further > 0) addValues(context, further * valuesOf(costOfField(info), {}));
  return items;
}

/** What the request has been charged so far. */
export function chargedTo(context: Context): number {
  return workOf(context).values;
}

function addValues(context: Context, values: number): void {
  const work = workOf(context);
  work.values += values;
  context.services.shares.charge(ownerOf(context), 'reading', Math.floor(values / VALUES_OF_A_POINT));
  if (context.bounded && work.values > GRAPHQL_LIMITS.values.value) valueOrThrow(tooManyValues(work.values));
}

async function acquireReading(context: Context, weight: number): Promise<Release> {
  const { semaphores, unread } = context.services;
  const release = await semaphores.reading.acquire(ownerOf(context), weight);
  if (release === null)
    return valueOrThrow<Release>(new Refusal('service_unavailable', 'Too many large reads wait already.'));
  const refusal = refusalOfLarge(unread);
  if (refusal === null) return release;
  release();
  return valueOrThrow<Release>(refusal);
}

/** `service_unavailable` while nothing large is made for callers, because of what waits to be read. */
export function refusalOfLarge({ isFull }: { readonly isFull: boolean }): Refusal | null {
  return isFull ? new Refusal('service_unavailable', 'Too many answers wait to be read.') : null;
}

/** Whether the field is the only root field of the operation. */
export function isOnlyField({ operation }: Pick<GraphQLResolveInfo, 'operation'>): boolean {
  const [first, ...others] = operation.selectionSet.selections;
  return others.length === 0 && first?.kind === Kind.FIELD;
}

/**
 * Gives back what the request held, once its answer is made. The plugin's cache of permissions refers to the context that it
 * is found by: left to the garbage collector, everything of a request would outlive it until the next full collection.
 */
export function endWork(context: Context): void {
  RequestCache.clearForContext(context);
  works
    .get(context)
    ?.release?.then((release) => release())
    .catch(() => {});
}
