import { SharedAnswer } from '../../ground/lib/shared-answer.ts';
import { singleFlight } from '../../ground/lib/single-flight.ts';

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

/**
 * The page of GraphiQL, from the package: nothing is fetched from elsewhere. Built when first requested, because loading the
 * package takes 0.2 s and 50 MB.
 */
export const graphiqlPage: () => Promise<SharedAnswer> = singleFlight(async () => {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return SharedAnswer.of(renderGraphiQL({ title: 'Lacre: GraphQL', defaultQuery: FIRST_QUERY }), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  });
});
