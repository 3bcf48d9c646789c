import { SharedAnswer } from '../../ground/lib/shared-answer.ts';
import { singleFlight } from '../../ground/lib/single-flight.ts';

/**
 * The page of GraphiQL. It comes from the package, nothing is fetched from elsewhere; that takes 50 MB, so not before
 * somebody wants it, and then once.
 */
export const graphiqlPage: () => Promise<SharedAnswer> = singleFlight(async () => {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return SharedAnswer.of(renderGraphiQL({}), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  });
});
