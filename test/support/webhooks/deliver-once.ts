import { createEventSource } from '../../../jobs/event-source.ts';
import type { Db } from '../../../src/ground/db/client.ts';
import type { Services } from '../../../src/services.ts';
import { AttemptsUnderWay } from '../../../src/subjects/webhooks/attempts-under-way.ts';
import { type Deliverer, deliver, type LaneSchedule } from '../../../src/subjects/webhooks/deliver.ts';
import { testLog } from '../processes/run-log.ts';

export function aDeliverer(services: Services, db: Db): Deliverer {
  return {
    ...{ db, log: testLog(), events: createEventSource(services), underWay: new AttemptsUnderWay() },
    ...{ keys: services.encryptionKeys, allowPrivate: true, eventLoop: services.eventLoop },
  };
}

/** What the jobs of both lanes do until nothing is to be done at once; answers when they are to run again. */
export async function deliverAll(deliverer: Deliverer, environmentId: number): Promise<LaneSchedule> {
  for (;;) {
    const others = await deliver(deliverer, environmentId, 'others');
    const quick = await deliver(deliverer, environmentId, 'quick');
    await deliverer.underWay.ended();
    const due = [others, quick].flatMap((next) => [next.quick, next.others]);
    const now = Date.now();
    if (due.every((at) => at === null || (at !== 'at once' && at.getTime() > now)))
      return { quick: quick.quick, others: others.others };
  }
}
