/** Everything that our documents say by themselves. One table a language; Spanish is the only one so far. */
export const words = {
  language: 'es-ES',
  title: {
    complete: 'Factura',
    simplified: 'Factura simplificada',
    // RD 1619/2012 art. 15.5: the document must say that it is a "factura rectificativa".
    rectifyingComplete: 'Factura rectificativa',
    rectifyingSimplified: 'Factura rectificativa simplificada',
  },
  /** The original is what the other system issued: none of these pages may pass for it (RD 1619/2012 art. 14.1). */
  copy: {
    title: (title: string) => `${title} (copia)`,
    mention: 'Copia de una factura expedida en su día con otro sistema de facturación.',
  },
  test: 'DOCUMENTO DE PRUEBA SIN VALIDEZ FISCAL',
  qr: {
    // Both phrases word for word: Orden HAC/1177/2024 art. 20.1.b and QR specification v0.5.0 section 3.
    above: 'QR tributario:',
    below: 'Factura verificable en la sede electrónica de la AEAT',
    system: 'VERI*FACTU',
    alternative: (url: string) => `Código QR para cotejar la factura: ${url}`,
  },
  issuer: 'Emisor',
  recipient: 'Cliente',
  number: 'Número',
  issuedOn: 'Fecha de expedición',
  operationOn: 'Fecha de operación',
  nif: 'NIF',
  vatNumber: 'NIF-IVA',
  taxIdLabels: {
    es_nif: 'NIF',
    eu_vat: 'NIF-IVA',
    passport: 'Pasaporte',
    official_document: 'Documento oficial',
    residence_certificate: 'Certificado de residencia',
    other: 'Identificación',
    not_registered: 'NIF',
  } as Readonly<Record<string, string>>,
  otherTaxId: 'Identificación',
  lines: {
    description: 'Descripción',
    quantity: 'Cantidad',
    unitAmount: 'Precio unitario',
    tax: 'Impuesto',
    amount: 'Importe',
    sku: (sku: string) => `Ref. ${sku}`,
    carriedOver: 'Suma y sigue',
    broughtForward: 'Suma anterior',
  },
  breakdown: {
    tax: 'Impuesto',
    base: 'Base imponible',
    rate: 'Tipo',
    amount: 'Cuota',
    surchargeRate: 'Tipo R.E.',
    surcharge: 'Cuota R.E.',
    none: '—',
  },
  totals: {
    net: 'Importe sin impuestos',
    tax: (name: string) => `Cuota ${name}`,
    taxes: 'Cuota de impuestos',
    surcharge: 'Recargo de equivalencia',
    // "Total factura" is what the QR code says too (AEAT answers to developers v1.3, 20).
    total: 'Total factura',
  },
  rectification: {
    reference: 'Factura rectificada',
    references: 'Facturas rectificadas',
    reason: 'Motivo',
    reasons: {
      correction: 'Corrección de la factura (art. 80 Uno, Dos y Seis LIVA)',
      insolvency: 'Concurso de acreedores (art. 80 Tres LIVA)',
      uncollectible: 'Crédito incobrable (art. 80 Cuatro LIVA)',
      other: 'Otras causas',
    },
    method: 'Método',
    differences: 'Por diferencias: los importes son la corrección que se aplica a lo facturado',
    substitution: 'Por sustitución: los importes reemplazan por completo a los de la factura rectificada',
    amounts: 'Importes rectificados',
    amountsText: (base: string, tax: string, surcharge: string | null) =>
      `Base imponible ${base}, cuota ${tax}${surcharge === null ? '' : `, recargo de equivalencia ${surcharge}`}`,
  },
  exchange: {
    ticket: 'En canje de la factura simplificada',
    tickets: 'En canje de las facturas simplificadas',
  },
  /** An invoice as others name it. */
  reference: (number: string, day: string) => `${number}\u00a0(${day})`,
  /** RD 1619/2012 art. 6.1.m: these very words. */
  reverseCharge: 'Inversión del sujeto pasivo',
  cashAccounting: 'Régimen especial del criterio de caja',
  ossCountry: (country: string) => `Estado miembro de consumo: ${country}`,
  notes: 'Observaciones',
  page: (page: number, pages: number) => `Página ${page} de ${pages}`,
  recordFile: 'Registro de facturación de alta (VERI*FACTU)',
};
