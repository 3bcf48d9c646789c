import type { Db } from '../../ground/db/client.ts';
import type { EventLoopScheduler } from '../../ground/lib/event-loop-scheduler.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { IssuingServices } from '../issuing/issue-invoice.ts';

/** The dependencies of issuing batches. */
export type Batching = IssuingServices & {
  readonly db: Pick<Db, 'pool' | 'lineage'>;
  readonly log: Logger;
  readonly eventLoop: Pick<EventLoopScheduler, 'waitIfLarge' | 'waitTurn'>;
};
