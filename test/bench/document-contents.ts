import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { contentLine, invoiceContent, vat } from '../support/documents/invoice-content.ts';

const GOODS = [
  'Mantenimiento preventivo de la caldera del edificio principal',
  'Sustitución de filtros y limpieza de conductos',
  'Desplazamiento del técnico a Gijón, ida y vuelta',
  'Manual de instrucciones impreso, edición en tapa dura',
  'Horas de consultoría sobre el régimen especial del recargo',
  'Licencia anual de uso, un puesto de trabajo',
  'Piezas de recambio: juntas, válvulas y manguitos',
  'Formación presencial del personal, jornada completa',
  'Retirada de residuos según la normativa autonómica',
  'Alquiler de andamio, por semana',
  'Pintura plástica blanca mate, bote de quince litros',
  'Revisión de la instalación eléctrica y certificado',
];
const RATES = [2100, 2100, 2100, 1000, 400];

/** The n-th invoice of so many lines: no two are the same, as in life, and each run has the same ones. */
export function documentContent(n: number, lineCount: number): InvoiceContent {
  const lines = Array.from({ length: lineCount }, (_, index) => {
    const pick = n * 7 + index;
    return contentLine(GOODS[pick % GOODS.length]!, 1_000 + ((pick * 7_919) % 90_000), {
      quantity: 1 + (pick % 12),
      taxes: [vat(RATES[pick % RATES.length]!)],
      ...(pick % 3 === 0 ? { sku: `REF-${1_000 + (pick % 500)}` } : {}),
    });
  });
  const notes = 'Forma de pago: transferencia a treinta días a la cuenta que figura en el contrato.';
  return invoiceContent({ number: `F-2026-${n}`, lines, notes });
}
