import type { DemoCredentials } from './demo.ts';
import { DEMO_CUSTOMER } from './demo-shop.ts';

/** A complete invoice that the demo's simulator accepts: its census contains every well-formed NIF. */
const INVOICE = {
  type: 'complete',
  recipient: {
    name: 'García López Ana',
    tax_id: '12345678Z',
    address: { line1: 'Gran Vía 1', postal_code: '28013', city: 'Madrid', country: 'ES' },
  },
  line_items: [
    {
      description: 'Web design',
      quantity: 10,
      unit_amount: 5000,
      tax_items: [{ type: 'vat', rate: 21 }],
    },
  ],
};

const VISIT = { external_customer_id: DEMO_CUSTOMER };

/** The message of a demo start: the credentials, and commands to paste. */
export function demoMessage(credentials: DemoCredentials): string {
  const { base_url: base, live, test } = credentials;
  const authorization = `-H 'Authorization: Bearer ${live}'`;
  const asTest = `-H 'Authorization: Bearer ${test}'`;
  return `
Lacre is ready at ${base}

  ${base}/docs      guides, reference, errors: begin with ${base}/docs/first-invoice
  ${base}/graphql   GraphQL, with GraphiQL in a browser
  ${base}/console   the operators' console: sign in with the operator key below

${JSON.stringify(credentials, null, 2)}

Issue a live invoice:

curl -sS ${base}/v1/invoices ${authorization} -H 'Content-Type: application/json' -d '${JSON.stringify(INVOICE)}'

Open the portal page of a customer of the demo shop (follow the url of the answer; it opens for an hour):

curl -sS ${base}/v1/customer_portal/sessions ${asTest} -H 'Content-Type: application/json' -d '${JSON.stringify(VISIT)}'

See what webhooks told the demo's own receiver: Companies, Webhooks in the console, or the log.

See the invoice registered a few seconds later (verifactu.status), with a link to its PDF (pdf_url):

curl -sS '${base}/v1/invoices?limit=1' ${authorization}
`;
}
