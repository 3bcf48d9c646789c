import type { DocumentEdition } from '../../../generated/prisma/enums.ts';
import type { Db } from '../../ground/db/client.ts';
import { type Day, dayIn } from '../../ground/lib/calendar.ts';
import type { BasisPoints, Cents } from '../../ground/lib/money.ts';
import { type QrBases, qrUrl } from '../chain/qr-url.ts';
import type { ExtensionColumns } from '../extensions/columns.ts';
import type { InvoiceRow, IssuerSnapshot } from '../invoices/rows.ts';
import { declaredDetail, type TaxDetail } from '../taxes/breakdown.ts';
import { provisionOf } from '../taxes/classification.ts';
import { type SoldTerms, soldTerms } from '../taxes/line-amount.ts';
import type { Branding } from './branding/branding.ts';
import { type ContentRow, readContent } from './store/content.ts';

/**
 * Everything that an invoice's pages show, and nothing else. Plain data, because it is sent to the rendering
 * thread.
 */
export type InvoiceContent = {
  readonly environment: 'test' | 'live';
  readonly type: InvoiceRow['type'];
  readonly kind: InvoiceRow['kind'];
  readonly number: string;
  readonly currency: string;
  /** An ISO instant; the creation date of the file. */
  readonly issuedAt: string;
  readonly issuedOn: Day;
  /** Null when the operation took place on the issue day. */
  readonly operationOn: Day | null;
  readonly issuer: IssuerSnapshot;
  /** Null when nothing is recorded that a page shows. */
  readonly recipient: PrintedRecipient | null;
  readonly lines: readonly PrintedLine[];
  /** The facts of each group of the breakdown that may require a mention. */
  readonly breakdown: readonly Pick<TaxDetail, 'type' | 'regimeKey' | 'legalMention'>[];
  readonly subtotal: Cents;
  readonly tax: Cents;
  readonly total: Cents;
  readonly notes: string | null;
  readonly extensions: ExtensionColumns;
  readonly rectification: PrintedRectification | null;
  /** The simplified invoices for which this one, of kind `exchange`, was issued. */
  readonly exchanged: readonly PrintedReference[];
  /** Issued by another system: the document is a copy, without QR code and record. */
  readonly imported: boolean;
  /** Null, like the record, for imported invoices. */
  readonly qrUrl: string | null;
  /** The sealed registration record, attached to the file. */
  readonly recordXml: string | null;
  /** Null unless the invoice is voided. The day on which it was voided is printed on every page. */
  readonly voidedOn: Day | null;
  readonly branding: Branding;
};

export type PrintedRecipient = {
  readonly name: string | null;
  readonly companyName: string | null;
  /** Of a natural person, if they were sent. */
  readonly givenName?: string | null | undefined;
  readonly surnames?: string | null | undefined;
  readonly taxId: string | null;
  readonly taxIdType: string | null;
  readonly taxIdCountry: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly country: string | null;
};

/** The first tax item is the line's tax; a second one is its equivalence surcharge. */
export type PrintedLine = SoldTerms & {
  readonly description: string;
  readonly sku: string | null;
  /** A code of UN/ECE Recommendation 20. */
  readonly unit: string | null;
  /** The number of the invoice that it corrects, where the invoice corrects several. */
  readonly corrects?: string | null;
  readonly subtotal: Cents;
  readonly total: Cents;
  readonly taxItems: readonly PrintedTaxItem[];
};

export type PrintedTaxItem = {
  readonly type: string;
  readonly name: string;
  readonly rate: BasisPoints;
  readonly amount: Cents;
  /** How it is declared, where a line of the invoice says its own classification. */
  readonly classified?: string | null | undefined;
  /** What exempts it, if the line says its cause. */
  readonly provision?: string | null | undefined;
};

export type PrintedReference = { readonly number: string; readonly issuedOn: Day };

/** With the day of its operation if that is known and differs. */
type CorrectedReference = PrintedReference & { readonly operationOn: Day | null };

type PrintedRectification = {
  /** The corrected documents: the one that states the whole operation, then the corrections in force since. */
  readonly references: readonly CorrectedReference[];
  readonly reason: InvoiceRow['rectification_reason'];
  /** The days whose sales a volume discount reduces; it corrects no invoice. */
  readonly period?: { readonly from: Day; readonly to: Day } | null;
  /** The amounts that a substitution replaces; null for a correction by differences. */
  readonly base: Cents | null;
  readonly tax: Cents | null;
  readonly surcharge: Cents | null;
};

/** Which of an invoice's documents the content is for. */
export function editionOf({ voidedOn }: Pick<InvoiceContent, 'voidedOn'>): DocumentEdition {
  return voidedOn === null ? 'issued' : 'voided';
}

/**
 * The content of an invoice's pages, read in one statement; null when the environment has no such invoice. `bases`:
 * the check pages of QR codes. The branding is that of the stored document, which may have to be rendered again;
 * without one, the company's current branding. Its language is the invoice's own if its request named one.
 */
export async function loadInvoiceContent(
  { pool }: Pick<Db, 'pool'>,
  bases: QrBases,
  environmentId: number,
  invoiceId: string,
): Promise<InvoiceContent | null> {
  const row = await readContent(pool, environmentId, invoiceId);
  if (row === null) return null;
  const {
    references,
    reason,
    rectifiedFrom: from,
    rectifiedTo: to,
    rectifiedBase,
    rectifiedTax,
    rectifiedSurcharge,
    voidedAt,
    timeZone,
    branding,
    ...same
  } = row;
  const isRectifying = row.kind === 'rectifying_differences' || row.kind === 'rectifying_substitution';
  return {
    ...same,
    lines: row.lines.map((line) => ({
      ...line,
      ...soldTerms(line),
      taxItems: line.taxItems.map(provided(row)),
    })),
    issuedAt: row.issuedAt.toISOString(),
    recipient: Object.values(row.recipient).some((value) => value !== null) ? row.recipient : null,
    rectification: isRectifying
      ? {
          ...{ references, reason, period: from === null || to === null ? null : { from, to } },
          ...{ base: rectifiedBase, tax: rectifiedTax, surcharge: rectifiedSurcharge },
        }
      : null,
    qrUrl: row.recordXml === null ? null : qrUrlOf(row, bases),
    voidedOn: voidedAt === null ? null : dayIn(timeZone, voidedAt),
    branding: { ...branding, language: row.extensions.language ?? branding.language },
  };
}

/** A tax with the provision that exempts it, if its line says the cause. */
function provided({ breakdown }: ContentRow) {
  return ({ exemption, ...tax }: ContentRow['lines'][number]['taxItems'][number]): PrintedTaxItem => {
    if (exemption === null) return tax;
    const detail = declaredDetail(breakdown, tax);
    return { ...tax, provision: detail === undefined ? null : provisionOf(detail.agencyTax, exemption) };
  };
}

function qrUrlOf({ environment, issuer, number, issuedOn, total }: ContentRow, bases: QrBases): string {
  return qrUrl({ base: bases[environment], nif: issuer.nif, number, issuedOn, total });
}
