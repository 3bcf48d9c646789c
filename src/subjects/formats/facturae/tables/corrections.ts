import type { SourceRectification } from '../source.ts';

type Reason = NonNullable<SourceRectification['reason']>;

/** A code of a list of the schema with the description that it requires. */
type Coded = { readonly code: string; readonly text: string };

/**
 * ReasonCode and ReasonDescription. The recorded cause is one of the agency's R1 to R4, which are coarser than the
 * schema's 22 reasons: insolvency has its own code, uncollectible debts use that of the taxable base (art. 80
 * Cuatro LIVA), and the rest use that of the details of the operation, which the lines state.
 */
export const REASONS: Readonly<Record<Reason, Coded>> = {
  correction: { code: '10', text: 'Detalle Operación' },
  insolvency: {
    code: '85',
    text: 'Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso',
  },
  uncollectible: { code: '16', text: 'Base imponible' },
  other: { code: '10', text: 'Detalle Operación' },
  volume_discount: { code: '83', text: 'Base imponible modificada por descuentos y bonificaciones' },
};

/** CorrectionMethod: the lines are the whole corrected operation, or the difference. */
export const METHODS: Readonly<Record<'rectifying_substitution' | 'rectifying_differences', Coded>> = {
  rectifying_substitution: { code: '01', text: 'Rectificación íntegra' },
  rectifying_differences: { code: '02', text: 'Rectificación por diferencias' },
};

/** The method that names a period in place of an invoice. */
export const OF_PERIOD: Coded = {
  code: '03',
  text: 'Rectificación por descuento por volumen de operaciones durante un periodo',
};

/** The cause as worded on the invoice's pages. */
export const CAUSES: Readonly<Record<Reason, string>> = {
  correction: 'Corrección de la factura (art. 80 Uno, Dos y Seis LIVA)',
  insolvency: 'Concurso de acreedores (art. 80 Tres LIVA)',
  uncollectible: 'Crédito incobrable (art. 80 Cuatro LIVA)',
  other: 'Otras causas',
  volume_discount: 'Descuento por volumen de operaciones (art. 80 Uno 2.º LIVA)',
};
