import { builder } from '../builder.ts';

/** Objects with an id, by which client caches identify them. */
export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'Any object with an id that `node` can look up.',
  fields: (t) => ({ id: t.id({ description: 'The id; its prefix identifies the type.' }) }),
});
