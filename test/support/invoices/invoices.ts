/** A line of the contract, valid unless the parts say otherwise. */
export function aLine(parts: Record<string, unknown> = {}) {
  return {
    description: 'Servicio de asesoría',
    quantity: 2,
    unit_amount: 10_000,
    tax_items: [{ type: 'vat', rate: 21 }],
    ...parts,
  };
}

/** A complete invoice to a person whom the simulated census knows. */
export function aCompleteInvoice(parts: Record<string, unknown> = {}) {
  return {
    type: 'complete',
    line_items: [aLine()],
    recipient: {
      name: 'García Pérez Ana',
      tax_id: '12345678Z',
      email: 'ana@example.com',
      address: { line1: 'Calle Mayor 1', postal_code: '28001', city: 'Madrid', country: 'ES' },
    },
    ...parts,
  };
}

/** A ticket. */
export function aSimplifiedInvoice(parts: Record<string, unknown> = {}) {
  return { type: 'simplified', line_items: [aLine()], ...parts };
}
