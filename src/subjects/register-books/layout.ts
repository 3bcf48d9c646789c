import type { Day } from '../../ground/lib/calendar.ts';
import type { BasisPoints, Cents } from '../../ground/lib/money.ts';

/**
 * The columns of the register of issued invoices in the agency's common electronic layout for the register books of VAT and
 * income tax: sheet EXPEDIDAS_INGRESOS of its record design `LSI.xlsx` ("Libros registro de IVA e IRPF, formato
 * electrónico común", Agencia Tributaria, edition in force for 2025), with the two header rows of its example workbook
 * `Ejemplo_2_1T_2023.xlsx`. Names, order, lengths, types and the numbered validations are those of that design, as
 * extracted from it in public repositories (read 2026-11-22); `LSIJ.xlsx`, for companies, has the same sheet.
 */

/** The value of a cell; rates and amounts in hundredths. Null is an empty cell. */
export type Cell =
  | { readonly text: string }
  | { readonly whole: number }
  | { readonly day: Day }
  | { readonly hundredths: Cents | BasisPoints }
  | null;

type Column = {
  readonly group: string;
  readonly name: string;
  readonly kind: 'whole' | 'text' | 'day' | 'decimal';
};

const text = (group: string, name = ''): Column => ({ group, name, kind: 'text' });
const day = (group: string, name = ''): Column => ({ group, name, kind: 'day' });
const decimal = (group: string, name = ''): Column => ({ group, name, kind: 'decimal' });

const COLLECTION = 'Cobro (Operación Criterio de Caja de IVA y/o artículo 7.2.1º de Reglamento del IRPF)';

/** Every column, in order. `group` is in the first header row where it begins, `name` in the second. */
export const COLUMNS = {
  year: { group: 'Autoliquidación', name: 'Ejercicio', kind: 'whole' },
  quarter: text('Autoliquidación', 'Periodo'),
  activityCode: text('Actividad', 'Código'),
  activityType: text('Actividad', 'Tipo'),
  activityGroup: text('Actividad', 'Grupo o Epígrafe del IAE'),
  invoiceType: text('Tipo de Factura'),
  incomeConcept: text('Concepto de Ingreso'),
  computableIncome: decimal('Ingreso Computable'),
  issuedOn: day('Fecha Expedición'),
  operationOn: day('Fecha Operación'),
  series: text('Identificación de la Factura', 'Serie'),
  number: text('Identificación de la Factura', 'Número'),
  lastNumber: text('Identificación de la Factura', 'Número-Final'),
  taxIdType: text('NIF Destinatario', 'Tipo'),
  taxIdCountry: text('NIF Destinatario', 'Código País'),
  taxId: text('NIF Destinatario', 'Identificación'),
  recipientName: text('Nombre Destinatario'),
  regimeKey: text('Clave de Operación'),
  operationClass: text('Calificación de la Operación'),
  exemption: text('Operación Exenta'),
  total: decimal('Total Factura'),
  base: decimal('Base Imponible'),
  rate: decimal('Tipo de IVA'),
  tax: decimal('Cuota IVA Repercutida'),
  surchargeRate: decimal('Tipo de Recargo Eq.'),
  surcharge: decimal('Cuota Recargo Eq.'),
  collectedOn: day(COLLECTION, 'Fecha'),
  collected: decimal(COLLECTION, 'Importe'),
  collectionMeans: text(COLLECTION, 'Medio Utilizado'),
  collectionAccount: text(COLLECTION, 'Identificación Medio Utilizado'),
  withholdingRate: decimal('Tipo Retención del IRPF'),
  withholding: decimal('Importe Retenido del IRPF'),
  billingAgreement: text('Registro Acuerdo Facturación'),
  propertyPlace: text('Inmueble', 'Situación'),
  propertyReference: text('Inmueble', 'Referencia Catastral'),
  externalReference: text('Referencia Externa'),
} as const satisfies Record<string, Column>;

export type ColumnName = keyof typeof COLUMNS;

/** A row of the book: the cells that are not empty. */
export type BookRow = { readonly [Name in ColumnName]?: Cell };

export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly ColumnName[];

/** The name of the sheet. */
export const SHEET = 'EXPEDIDAS_INGRESOS';

/** The two rows above the data. */
export const HEADERS: readonly (readonly string[])[] = [
  COLUMN_NAMES.map((name, at) => {
    const before = COLUMN_NAMES[at - 1];
    const { group } = COLUMNS[name];
    return before !== undefined && COLUMNS[before].group === group ? '' : group;
  }),
  COLUMN_NAMES.map((name) => COLUMNS[name].name),
];

/** "Nombre Destinatario" is Alfanumérico (40). */
export const LONGEST_NAME = 40;

/** Replaces the name of a recipient who need not be identified (validation 2). */
export const FINAL_CONSUMER = 'VENTAS A CONSUMIDOR FINAL';
