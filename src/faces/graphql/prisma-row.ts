import { getModel } from '@pothos/plugin-prisma';
import type PrismaTypes from '../../../generated/pothos.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';

/** A row within its environment. */
export type RowKey = { readonly environmentId: number; readonly id: string };

/** What is asked of the client of a model: each has these methods, of types that differ. */
export type Delegate<Row> = {
  findUnique(query: object): Promise<Row | null>;
  findMany(query: object): Promise<Row[]>;
  count(query: object): Promise<number>;
};

export function delegateOf<Model extends keyof PrismaTypes>(
  { services }: Pick<Context, 'services'>,
  model: Model,
): Delegate<PrismaTypes[Model]['Shape']> {
  const name = `${model[0]!.toLowerCase()}${model.slice(1)}` as 'account';
  return services.db.prisma[name] as unknown as Delegate<PrismaTypes[Model]['Shape']>;
}

/**
 * A row of a model as far as `query` selects it, or null. Prisma reads by one statement those that are looked for at the same time,
 * as the rows that belong to the items of a list.
 */
export function prismaRowOf<Model extends keyof PrismaTypes>(
  context: Pick<Context, 'services'>,
  model: Model,
  query: object,
  key: RowKey,
): Promise<PrismaTypes[Model]['Shape'] | null> {
  const columns = getModel(model, builder).primaryKey!.fields;
  return delegateOf(context, model).findUnique({ ...query, where: { [columns.join('_')]: key } });
}
