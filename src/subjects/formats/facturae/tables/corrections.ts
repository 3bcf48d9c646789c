import type { SourceRectification } from '../source.ts';

type Reason = NonNullable<SourceRectification['reason']>;

/** A code of a list of the schema with the words that it demands beside it. */
type Coded = { readonly code: string; readonly words: string };

/**
 * ReasonCode and ReasonDescription. What is recorded of a cause are the agency's R1 to R4, which are coarser than the schema's 22
 * reasons: its own code for insolvency, the taxable base for what cannot be collected (art. 80 Cuatro LIVA), the details of the
 * operation, which the lines state, for the rest.
 */
export const REASONS: Readonly<Record<Reason, Coded>> = {
  correction: { code: '10', words: 'Detalle Operación' },
  insolvency: {
    code: '85',
    words: 'Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso',
  },
  uncollectible: { code: '16', words: 'Base imponible' },
  other: { code: '10', words: 'Detalle Operación' },
};

/** CorrectionMethod: the lines are the whole corrected operation, or the difference. */
export const METHODS: Readonly<Record<'rectifying_substitution' | 'rectifying_differences', Coded>> = {
  rectifying_substitution: { code: '01', words: 'Rectificación íntegra' },
  rectifying_differences: { code: '02', words: 'Rectificación por diferencias' },
};

/** The cause as the invoice's own page words it. */
export const CAUSES: Readonly<Record<Reason, string>> = {
  correction: 'Corrección de la factura (art. 80 Uno, Dos y Seis LIVA)',
  insolvency: 'Concurso de acreedores (art. 80 Tres LIVA)',
  uncollectible: 'Crédito incobrable (art. 80 Cuatro LIVA)',
  other: 'Otras causas',
};
