import { getModel } from '@pothos/plugin-prisma';
import type PrismaTypes from '../../../generated/pothos.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';

/** A row within its environment. */
export type RowKey = { readonly environmentId: number; readonly id: string };

/**
 * A row of a model as far as `query` selects it, or null. Prisma reads by one statement those that are looked for at the same time,
 * as the rows that belong to the items of a list.
 */
export function prismaRowOf<Model extends keyof PrismaTypes>(
  { services }: Pick<Context, 'services'>,
  model: Model,
  query: object,
  key: RowKey,
): Promise<PrismaTypes[Model]['Shape'] | null> {
  const name = `${model[0]!.toLowerCase()}${model.slice(1)}` as 'account';
  const rows = services.db.prisma[name] as unknown as {
    findUnique(query: object): Promise<PrismaTypes[Model]['Shape'] | null>;
  };
  const columns = getModel(model, builder).primaryKey!.fields;
  return rows.findUnique({ ...query, where: { [columns.join('_')]: key } });
}
