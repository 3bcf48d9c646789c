import type { Logger } from '../../ground/lib/logger.ts';
import type { Services } from '../../services.ts';
import type { Caller, Operator } from '../../subjects/accounts/entry/caller.ts';
import type { BatchRequest } from '../../subjects/batches/request.ts';
import type { InvoiceRequest } from '../../subjects/issuing/request.ts';

/** The context of resolvers: the services of the process and the caller. */
export type Context = {
  readonly services: Services;
  readonly caller: Caller | Operator | null;
  readonly requestId: string;
  readonly log: Logger;
  /** Queries from outside are bounded in depth, breadth and cost; the stored queries of REST are known. */
  readonly bounded: boolean;
  /** The header `Idempotency-Key` of a request to /graphql; what REST asks names its key as an argument. */
  readonly idempotencyKey?: string | null;
  /** Set when the answer is that of an earlier request with the same idempotency key. */
  replayed?: boolean;
  /** The requested invoice, if REST has already parsed it with the request schema. */
  invoiceRequest?: InvoiceRequest;
  /** The batch that is sent, where REST has read it already. */
  batchRequest?: BatchRequest;
  /** The file that was requested over REST: it is sent as it is, and never becomes text. */
  file?: Buffer;
  /** Whether the caller has disconnected, so a read can be abandoned. Absent where this is not known. */
  readonly isAborted?: () => boolean;
  /** Whether the request was counted against the caller's limit before it came here. */
  readonly counted: boolean;
};

/** Builds the context of an operation: only its caller and the manner of its execution differ within a process. */
export type ContextFactory = (call: Omit<Context, 'services' | 'log'>) => Context;

/** The contexts of a process. Whoever executes operations receives this function, and not what resolvers work with. */
export function contextFactory(services: Services): ContextFactory {
  return (call) => ({ services, log: services.log, ...call });
}
