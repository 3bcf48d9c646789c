import { graphql } from 'react-relay';

graphql`
  query DashboardQuery($first: Int, $after: String, $filter: InvoiceFilter) {
    viewer { kind scopes company { id legalName } }
    ...Dashboard_invoices @arguments(first: $first, after: $after, filter: $filter)
  }
`;
graphql`
  fragment Dashboard_invoices on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 25 }, after: { type: "String" }, filter: { type: "InvoiceFilter" })
  @refetchable(queryName: "DashboardPageQuery") {
    invoices(first: $first, after: $after, filter: $filter) @connection(key: "Dashboard_invoices") {
      totalCount
      edges { node { id number total ...Dashboard_invoice } }
    }
  }
`;
graphql`
  fragment Dashboard_invoice on Invoice @refetchable(queryName: "DashboardInvoiceQuery") {
    id number total status verifactu { status }
    rectifiedBy { id number }
    taxBreakdown { name base amount }
  }
`;
graphql`
  mutation DashboardIssueMutation($input: IssueInvoiceInput!, $key: String) {
    issueInvoice(input: $input, idempotencyKey: $key) { id ...Dashboard_invoice rectifies { invoice { ...Dashboard_invoice } } }
  }
`;
graphql`
  subscription DashboardSubscription { invoiceChanged { sequence type invoice { ...Dashboard_invoice } } }
`;
