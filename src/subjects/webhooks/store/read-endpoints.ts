import type { WebhookDelivery, WebhookEndpoint } from '../../../../generated/prisma/client.ts';
import type { Db } from '../../../ground/db/client.ts';
import { given } from '../../../ground/db/filter.ts';
import { firstOf, type Page, pageOf } from '../../../ground/db/listed.ts';
import { invalidField, type Outcome } from '../../../ground/errors/refusal.ts';

/** Endpoints and their deliveries, as commands list them. */

/** What concerns workers alone, and the environment, which was named. */
const LEFT_OUT = { environmentId: true, quick: true, heldUntil: true } as const;

/** The endpoints of an environment, newest first. */
export function listEndpoints(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
): Promise<Omit<WebhookEndpoint, keyof typeof LEFT_OUT>[]> {
  return prisma.webhookEndpoint.findMany({
    where: { environmentId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    omit: LEFT_OUT,
  });
}

/**
 * The deliveries of an endpoint, those of the latest events first, from the one behind `after`: `invalid_request` if that is
 * none of them.
 */
export async function listDeliveries(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
  endpointId: string,
  { status, size, after }: DeliveryRange,
): Promise<Outcome<Page<WebhookDelivery>>> {
  const where = { environmentId, endpointId, ...given({ status }) };
  const last =
    after === null ? null : await prisma.webhookDelivery.findFirst({ where: { ...where, id: after } });
  if (after !== null && last === null) {
    return invalidField('after', 'invalid_value', 'is not a cursor of this list');
  }
  const rows = await prisma.webhookDelivery.findMany({
    where: { ...where, ...(last && { sequence: { lt: last.sequence } }) },
    orderBy: { sequence: 'desc' },
    take: size + 1,
  });
  return pageOf(rows, firstOf(size, after));
}

type DeliveryRange = {
  readonly status: WebhookDelivery['status'] | null;
  readonly size: number;
  readonly after: string | null;
};
