import { runInThread } from '../../ground/lib/run-in-thread.ts';
import { SharedAnswer } from '../../ground/lib/shared-answer.ts';
import { singleFlight } from '../../ground/lib/single-flight.ts';
import type { GraphiqlOptions } from './graphiql-worker.ts';

/** What it opens with: the caller, the newest invoices, and what they add up to. */
export const FIRST_QUERY = `# Under Headers, below, put
# { "Authorization": "Bearer sk_test_…" }
query Welcome {
  viewer {
    kind
    environment
    scopes
    company {
      legalName
    }
  }
  invoices(first: 5, filter: { status: [issued] }, orderBy: { field: ISSUED_AT, direction: DESC }) {
    totalCount
    edges {
      node {
        id
        number
        invoiceDate
        recipientName
        total
        verifactu {
          status
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
  invoiceTotals(groupBy: [MONTH]) {
    month
    count
    subtotal
    tax
    total
  }
}
`;

/** The page of GraphiQL, from the package: nothing is fetched from elsewhere. Not before somebody wants it, and then once. */
export const graphiqlPage: () => Promise<SharedAnswer> = singleFlight(async () => {
  const script = new URL('./graphiql-worker.ts', import.meta.url);
  const options = { title: 'Lacre: GraphQL', defaultQuery: FIRST_QUERY };
  return SharedAnswer.of(await runInThread<GraphiqlOptions, string>(script, options), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  });
});
