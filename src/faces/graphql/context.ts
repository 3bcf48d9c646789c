import type { Language } from '../../ground/lib/language.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { Services } from '../../services.ts';
import type { Caller, Operator } from '../../subjects/accounts/entry/caller.ts';
import type { Allowance } from '../../subjects/accounts/entry/rate-limit.ts';

/** The context of resolvers: the services of the process and the caller. */
export type Context = {
  readonly services: Services;
  readonly caller: Caller | Operator | null;
  readonly requestId: string;
  /** In which what is refused, or likely wrong, is said to people; English if it is not stated. */
  readonly language?: Language;
  readonly log: Logger;
  /** Queries from outside are bounded in depth, breadth and cost, and counted; what REST asks is known, and it has counted itself. */
  readonly bounded: boolean;
  /** The header `Idempotency-Key` of a request to /graphql; what REST asks names its key as an argument. */
  readonly idempotencyKey?: string | null;
  /** Set when the answer is that of an earlier request with the same idempotency key. */
  replayed?: boolean;
  /** Notes what remains of a limit per minute, for the headers of the answer; REST has counted itself. */
  readonly noteAllowance?: (allowance: Allowance) => void;
};

/** Builds the context of an operation: only its caller and the manner of its execution differ within a process. */
export type ContextFactory = (call: Omit<Context, 'services' | 'log'>) => Context;

/** The contexts of a process. Whoever executes operations receives this function, and not what resolvers work with. */
export function contextFactory(services: Services): ContextFactory {
  return (call) => ({ services, log: services.log, ...call });
}
