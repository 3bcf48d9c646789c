import { builder } from '../builder.ts';

/** What has an id of its own, by which caches know it. */
export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'Whatever has an id that `node` finds it by.',
  fields: (t) => ({ id: t.id({ description: 'The API’s id; its prefix names the type.' }) }),
});
