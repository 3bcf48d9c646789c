import type { Integration } from '../../../../generated/prisma/client.ts';
import type { Db } from '../../../ground/db/client.ts';

/** All integrations of the environment, the oldest first. */
export function allIntegrations(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
): Promise<Omit<Integration, 'environmentId'>[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  return prisma.integration.findMany({ where: { environmentId }, orderBy, omit: { environmentId: true } });
}
