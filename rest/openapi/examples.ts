/** What requests and answers look like. The tests send each request, and hold each answer to its schema. */

const address = { line1: 'Gran Vía 1', postal_code: '28013', city: 'Madrid', country: 'ES' };

const recipient = { name: 'García López Ana', tax_id: '12345678Z', email: 'ana@example.com', address };

const webDesign = {
  description: 'Web design',
  sku: 'WEB-H',
  quantity: 10,
  unit_amount: 5_000,
  tax_items: [{ type: 'vat', rate: 21 }],
};

/** The invoice that the examples of corrections name. */
export const CORRECTED = 'inv_01a1f90d57b775a9bcbf9e6e9e922e2d';
export const ALSO_CORRECTED = 'inv_02a1f90d57b775a9bcbf9e6e9e922e2d';

const SERIES = 'ns_01a1f90c894f74b495221ab4d079b5f8';
const BASE = 'https://invoices.example.com';

type Named = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

export const invoiceRequests: Named = {
  complete: {
    summary: 'A complete invoice with an identified recipient',
    value: {
      type: 'complete',
      recipient,
      line_items: [webDesign],
      notes: 'Thank you for your order.',
    },
  },
  simplified: {
    summary: 'A ticket',
    value: {
      type: 'simplified',
      line_items: [
        {
          description: 'Menú del día',
          quantity: 2,
          unit_amount: 1_318,
          tax_items: [{ type: 'vat', rate: 10 }],
        },
        { description: 'Descuento', quantity: 1, unit_amount: -200, tax_items: [{ type: 'vat', rate: 10 }] },
      ],
    },
  },
  reverse_charge: {
    summary: 'Services to a company in another country of the EU',
    value: {
      type: 'complete',
      recipient: {
        name: 'Beispiel GmbH',
        tax_id: 'DE136695976',
        address: { line1: 'Hauptstraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      },
      line_items: [
        {
          description: 'Consulting',
          quantity: 3,
          unit_amount: 12_000,
          tax_items: [{ type: 'eu_b2b_services' }],
        },
      ],
    },
  },
  equivalence_surcharge: {
    summary: 'To a retailer under the equivalence surcharge',
    value: { type: 'complete', recipient, recargo_equivalencia: true, line_items: [webDesign] },
  },
  differences: {
    summary: 'A rectificativa by differences: the lines are the change',
    value: {
      type: 'complete',
      rectifies: { invoice_id: CORRECTED, method: 'differences', reason: 'correction' },
      line_items: [{ ...webDesign, description: 'Two hours less', quantity: 2, unit_amount: -5_000 }],
    },
  },
  substitution: {
    summary: 'A rectificativa by substitution: the lines are the complete invoice',
    value: {
      type: 'complete',
      rectifies: { invoice_id: CORRECTED, method: 'substitution' },
      recipient: { ...recipient, address: { ...address, line1: 'Calle Mayor 3' } },
      line_items: [{ ...webDesign, quantity: 8 }],
    },
  },
  several: {
    summary: 'A rectificativa of several invoices: each line names the one that it changes',
    value: {
      type: 'complete',
      rectifies: { invoice_ids: [CORRECTED, ALSO_CORRECTED], method: 'differences' },
      line_items: [
        { ...webDesign, quantity: 1, unit_amount: -5_000, rectifies_invoice_id: CORRECTED },
        { ...webDesign, quantity: 1, unit_amount: -2_500, rectifies_invoice_id: ALSO_CORRECTED },
      ],
    },
  },
  volume_discount: {
    summary: 'A volume discount on the sales of a period',
    value: {
      type: 'complete',
      recipient,
      rectifies: {
        period: { from: '2026-01-01', to: '2026-06-30' },
        method: 'differences',
        reason: 'volume_discount',
      },
      line_items: [
        {
          ...{
            description: 'Discount of 5 % on the sales of the first half',
            quantity: 1,
            unit_amount: -15_000,
          },
          tax_items: [{ type: 'vat', rate: 21 }],
        },
      ],
    },
  },
  external: {
    summary: 'A rectificativa of an invoice that was issued elsewhere',
    value: {
      type: 'complete',
      recipient,
      rectifies: {
        external: {
          number: 'OLD/2025/17',
          issued_on: '2025-06-30',
          rectified_amounts: { base: 10_000, tax: 2_100 },
        },
        method: 'substitution',
      },
      line_items: [{ ...webDesign, quantity: 1, unit_amount: 9_000 }],
    },
  },
};

const issuedLine = {
  id: 'ili_01a1f90d57b775a9bcbfa078e8f29b44',
  description: 'Web design',
  sku: 'WEB-H',
  quantity: 10,
  unit_amount: 5_000,
  subtotal: 50_000,
  tax: 10_500,
  total: 60_500,
  tax_items: [{ name: 'IVA 21%', type: 'vat', rate: 21, amount: 10_500 }],
};

/** A live invoice as it is answered when it has just been issued. */
export const invoice = {
  id: CORRECTED,
  status: 'issued',
  number: 'F-2026-42',
  currency: 'eur',
  subtotal: 50_000,
  tax: 10_500,
  total: 60_500,
  recipient_name: 'García López Ana',
  recipient_tax_id: '12345678Z',
  email: 'ana@example.com',
  external_customer_id: null,
  external_id: null,
  invoice_date: '2026-11-20T13:02:43.642Z',
  operation_date: '2026-11-20T13:02:43.642Z',
  created_at: '2026-11-20T13:02:43.642Z',
  type: 'complete',
  number_series_id: SERIES,
  recipient: {
    name: 'García López Ana',
    company_name: null,
    tax_id: '12345678Z',
    tax_id_type: 'es_nif',
    tax_id_country: 'ES',
    email: 'ana@example.com',
    address: { ...address, line2: null },
  },
  pdf_url: `${BASE}/v1/invoices/${CORRECTED}/file?token=AQBrAufzAAAAAUNr00Y3OOsq9d0Nc-4EhaLCeqvoXEJiLBV9qV3nYTIG`,
  verifactu: {
    status: 'pending',
    hash: '97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165',
    qr_url:
      'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00',
    error: null,
  },
  line_items: [issuedLine],
  kind: 'original',
  rectifies: [],
  rectified_by: [],
};

/** The same, some minutes later. */
export const registered = { ...invoice, verifactu: { ...invoice.verifactu, status: 'registered' } };

export const noted = { ...registered, metadata: { order: '17', channel: 'web' } };

export const invoicePage = {
  data: [registered],
  has_more: true,
  next_cursor: CORRECTED,
  next_url: `/v1/invoices?limit=1&starting_after=${CORRECTED}`,
};

const { id: _id, ...pricedLine } = issuedLine;

export const validatedInvoice = {
  type: 'complete',
  kind: 'original',
  currency: 'eur',
  subtotal: 50_000,
  tax: 10_500,
  total: 60_500,
  line_items: [pricedLine],
  tax_breakdown: [{ type: 'vat', name: 'IVA 21%', rate: 21, base: 50_000, amount: 10_500 }],
  warnings: [],
};
