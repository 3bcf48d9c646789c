/** Messages of GraphQL over server-sent events, in distinct connections mode (graphql-sse protocol), with ids. */

/** One result of a subscription. `id` is the sequence to go on from. */
export function nextFrame(result: object, sequence?: number): Buffer {
  const id = sequence === undefined ? '' : `id: ${sequence}\n`;
  return Buffer.from(`${id}event: next\ndata: ${JSON.stringify(result)}\n\n`);
}

/** Nothing more will come, and asking again for the same is of no use. */
export const COMPLETE = Buffer.from('event: complete\ndata:\n\n');
