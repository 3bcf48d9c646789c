import type { DemoCredentials } from './demo.ts';

/** A complete invoice that the demo's simulator accepts: it knows every well-formed NIF. */
const INVOICE = {
  type: 'complete',
  recipient: {
    name: 'Ana García López',
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

/** What a demo start tells the person before the screen: the credentials, and commands to paste. */
export function greeting(credentials: DemoCredentials): string {
  const { base_url: base, live } = credentials;
  const authorization = `-H 'Authorization: Bearer ${live}'`;
  return `
Lacre is ready at ${base} (documentation: ${base}/docs, GraphQL: ${base}/graphql)

${JSON.stringify(credentials, null, 2)}

Issue a live invoice:

curl -sS ${base}/v1/invoices ${authorization} -H 'Content-Type: application/json' -d '${JSON.stringify(INVOICE)}'

See it registered a few seconds later (verifactu.status), with a link to its PDF (pdf_url):

curl -sS '${base}/v1/invoices?limit=1' ${authorization}
`;
}
