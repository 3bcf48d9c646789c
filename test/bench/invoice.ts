/** The invoice of the benchmark: complete, three lines, two rates, to a company that the simulated census knows. */
const INVOICE = {
  type: 'complete',
  line_items: [
    {
      description: 'Servicio de consultoría',
      quantity: 8,
      unit_amount: 6_500,
      tax_items: [{ type: 'vat', rate: 21 }],
    },
    {
      description: 'Manual impreso',
      sku: 'MAN-014',
      quantity: 3,
      unit_amount: 2_450,
      tax_items: [{ type: 'vat', rate: 4 }],
    },
    {
      description: 'Desplazamiento',
      quantity: 1,
      unit_amount: 4_275,
      tax_items: [{ type: 'vat', rate: 21 }],
    },
  ],
  recipient: {
    name: 'Cooperativa del Duero SL',
    tax_id: 'B12345674',
    email: 'facturas@duero.example',
    address: { line1: 'Calle Mayor 12', postal_code: '47001', city: 'Valladolid', country: 'ES' },
  },
  notes: 'Forma de pago: transferencia a 30 días.',
};

const BODY = JSON.stringify(INVOICE);

/** A whole HTTP request that issues the invoice. */
export function issueRequest(key: string): string {
  return (
    `POST /v1/invoices HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`
  );
}

/** A whole HTTP request that reads. */
export function readRequest(key: string, path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n\r\n`;
}

/** The query of examples/dashboard for its list of invoices. */
const DASHBOARD_LIST = JSON.stringify({
  query: `query InvoiceList($filter: InvoiceFilter, $orderBy: InvoiceOrder, $first: Int, $after: String) {
    invoices(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
      totalCount totalCountIsExact
      edges { cursor node { ...InvoiceRow } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
  fragment InvoiceRow on Invoice {
    id number invoiceDate type kind status total recipientName verifactu { status }
  }`,
  variables: { first: 25 },
});

/** A whole HTTP request for a page of that list. */
export function dashboardRequest(key: string): string {
  return (
    `POST /graphql HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(DASHBOARD_LIST)}\r\n\r\n${DASHBOARD_LIST}`
  );
}

/** Issues one invoice and gives its body. Throws unless it is issued. */
export async function issueOne(baseUrl: string, key: string): Promise<{ id: string; number: string }> {
  const response = await fetch(`${baseUrl}/v1/invoices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: BODY,
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`an invoice was not issued: ${response.status} ${text}`);
  return JSON.parse(text) as { id: string; number: string };
}
