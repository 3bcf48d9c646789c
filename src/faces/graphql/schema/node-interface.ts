import { builder } from '../builder.ts';

/** Objects with an id, by which client caches identify them. */
export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'Whatever has an id that `node` finds it by.',
  fields: (t) => ({ id: t.id({ description: 'The API’s id; its prefix names the type.' }) }),
});
