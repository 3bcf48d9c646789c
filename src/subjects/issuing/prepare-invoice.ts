import type { SoftwareConfig } from '../../ground/config/config.ts';
import { sha256 } from '../../ground/journal/canonical.ts';
import { bodyOfTexts, bodyTexts } from '../../ground/journal/content.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import { lineId, newId } from '../../ground/lib/ids.ts';
import type { Cents } from '../../ground/lib/money.ts';
import { truncateText } from '../../ground/lib/text.ts';
import { traceParent } from '../../ground/lib/tracing.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import {
  type DeclaredRecipient,
  type DeclaredSoftware,
  type DeclaredTax,
  type InvoiceReference,
  type PreparedRegistration,
  prepareRegistration,
  type RegistrationContent,
} from '../chain/record-xml.ts';
import type { NamedCustomer } from '../customers/shapes.ts';
import { INVOICE_BODY } from '../extensions/columns.ts';
import { extensionsAsColumns } from '../extensions/request.ts';
import type { Claim } from '../idempotency/claim.ts';
import type {
  InvoiceRow,
  LineRow,
  StoredInvoice,
  TaxItemRow,
  UnnumberedInvoiceRow,
} from '../invoices/rows.ts';
import { fiscalName, type Recipient } from '../recipients/recipient.ts';
import type { RegisterEvidence } from '../recipients/registers/registers.ts';
import type { ThirdParty } from '../recipients/third-party.ts';
import type { TaxDetail } from '../taxes/breakdown.ts';
import type { PricedTaxItem, Pricing } from '../taxes/pricing.ts';
import type { PreparedInvoice } from './prepared-invoice.ts';
import type { InvoiceRequest } from './request.ts';

/** An invoice that has passed every rule: what remains is to write it. */
export type CheckedInvoice = {
  readonly request: InvoiceRequest;
  readonly kind: InvoiceRow['kind'];
  readonly invoiceType: RegistrationContent['invoiceType'];
  /** The invoice that a rectificativa corrects. */
  readonly correction: Correction | null;
  /** The simplified invoices that an exchange invoice replaces. */
  readonly exchanged: readonly (InvoiceReference & { readonly id: string })[];
  /** The integration's customer, and the order from which the invoice originates. */
  readonly origin: Origin | null;
  /** The customer whom it names, to be kept with it. */
  readonly customer?: NamedCustomer;
  /** What joins it to the others that the same request issues. */
  readonly together?: Together;
  /** The draft that it is issued from. */
  readonly draftId?: string;
  readonly recheck: PreparedInvoice['recheck'];
  readonly alsoWrite: PreparedInvoice['alsoWrite'];
  readonly series: { readonly id: string; readonly prefix: string; readonly yearly: boolean };
  readonly pricing: Pricing;
  readonly recipient: Recipient | null;
  readonly evidence: RegisterEvidence | null;
};

/** Of an invoice that is issued and voided together with others. */
export type Together = {
  /** The id of the first of them. */
  readonly issuedWith: string;
  /** The exchange invoice that it takes back. */
  readonly reversesId: string | null;
  /** The exchange invoices whose payment accounts it changes. */
  readonly affects: readonly string[];
};

/** The corrected invoice, the reason, and the representation for the agency. */
export type Correction = {
  readonly rectifiesId: string | null;
  /** All that it corrects if they are several, of which `rectifiesId` is the first. */
  readonly rectifiesIds?: readonly string[];
  readonly external: { readonly number: string; readonly issuedOn: Day } | null;
  readonly reason: NonNullable<InvoiceRow['rectification_reason']>;
  /** The amounts that were in force before it. */
  readonly amounts: { readonly base: Cents; readonly tax: Cents; readonly surcharge: Cents | null } | null;
  readonly method: 'I' | 'S';
  /** The day of the operation, if the original was issued elsewhere. */
  readonly operationOn: Day | null;
  readonly rectified: readonly InvoiceReference[];
  /** The days whose sales a volume discount reduces, which names no invoice. */
  readonly period?: { readonly from: Day; readonly to: Day };
};

/** The origin of an invoice of a customer. A rectificativa keeps all but the order. */
export type Origin = {
  readonly integrationId: string;
  readonly externalCustomerId: string | null;
  readonly orderId: string | null;
};

/** The identifiers of an invoice. */
export type Identity = {
  /** Its id; a new one when none was reserved. */
  readonly id?: string;
  /** The digest of a request that names an external_id, by which the same one is known when it comes again in a batch. */
  readonly digest?: string | null;
};

/** The agency's DescripcionOperacion holds 500 characters (XSD TextMax500Type). */
const LONGEST_DESCRIPTION = 500;

/** The documents that identify a recipient without a Spanish NIF (XSD PersonaFisicaJuridicaIDTypeType). */
const DOCUMENT_TYPES = {
  eu_vat: '02',
  passport: '03',
  official_document: '04',
  residence_certificate: '05',
  other: '06',
  not_registered: '07',
} as const;

/** Prepares a checked invoice as rows and a record that lacks only its number, its link and its time. */
export function prepareInvoice(
  scope: Scope,
  software: SoftwareConfig,
  checked: CheckedInvoice,
  idempotency: { claim: Claim; answer: (stored: StoredInvoice) => object } | null,
  { id = newId('inv'), digest = null }: Identity = {},
): PreparedInvoice {
  const { metadata = {} } = checked.request;
  const unnumbered = unnumberedRow(scope, checked, { id, digest });
  const { lines, taxItems } = lineRows(unnumbered, checked.pricing, checked.request.lineItems);
  const exchanged = checked.exchanged.map(({ id }) => id);
  const texts = bodyTexts(INVOICE_BODY, { invoice: unnumbered, lines, taxItems });
  return {
    environment: scope.environment,
    chainId: scope.openChainId,
    issuerNif: scope.issuer.nif,
    clockAheadMs: scope.clockAheadMs,
    timeZone: scope.timeZone,
    lastDay: scope.lastDay,
    series: checked.series,
    unnumbered,
    lines,
    taxItems,
    // An empty object is the same as none.
    metadata: Object.keys(metadata).length === 0 ? null : metadata,
    corrects: [
      ...(unnumbered.rectifies_ids ?? (unnumbered.rectifies_id === null ? [] : [unnumbered.rectifies_id])),
      ...exchanged,
      ...(checked.together?.affects ?? []),
    ],
    texts,
    bodyHash: sha256(bodyOfTexts(texts, exchanged)),
    record: prepareRecord(scope, software, checked, unnumbered.id),
    claim: idempotency?.claim ?? null,
    answer: idempotency?.answer ?? (() => ({})),
    customer: checked.customer ?? null,
    recheck: checked.recheck,
    alsoWrite: checked.alsoWrite,
    queued: { at: performance.now(), trace: traceParent() },
  };
}

function unnumberedRow(
  scope: Scope,
  checked: CheckedInvoice,
  { id, digest }: Required<Identity>,
): UnnumberedInvoiceRow {
  const { request, series, pricing, recipient, evidence, correction, origin } = checked;
  return {
    id,
    environment_id: scope.environmentId,
    series_id: series.id,
    type: request.type,
    kind: checked.kind,
    currency: 'eur',
    subtotal: pricing.subtotal,
    tax: pricing.tax,
    total: pricing.total,
    operation_on: request.operationDate ?? null,
    external_id: request.externalId ?? null,
    request_digest: digest,
    external_customer_id: origin?.externalCustomerId ?? null,
    integration_id: origin?.integrationId ?? null,
    order_id: origin?.orderId ?? null,
    notes: request.notes ?? null,
    ...recipientColumns(recipient),
    recipient_evidence: evidence,
    issuer: scope.issuer,
    breakdown: pricing.breakdown,
    rectifies_id: correction?.rectifiesId ?? null,
    rectifies_ids: correction?.rectifiesIds ?? null,
    rectification_reason: correction?.reason ?? null,
    external_number: correction?.external?.number ?? null,
    external_issued_on: correction?.external?.issuedOn ?? null,
    rectified_operation_on: correction?.operationOn ?? null,
    rectified_from: correction?.period?.from ?? null,
    rectified_to: correction?.period?.to ?? null,
    rectified_base: correction?.amounts?.base ?? null,
    rectified_tax: correction?.amounts?.tax ?? null,
    rectified_surcharge: correction?.amounts?.surcharge ?? null,
    issued_with: checked.together?.issuedWith ?? null,
    reverses_id: checked.together?.reversesId ?? null,
    imported: false,
    imported_at: null,
    ...extensionsAsColumns(request, pricing),
    draft_id: checked.draftId ?? null,
  };
}

/** The recipient columns of an invoice row. */
export function recipientColumns(recipient: Recipient | null) {
  return {
    recipient_name: recipient?.name ?? null,
    recipient_company_name: recipient?.companyName ?? null,
    recipient_given_name: recipient?.givenName ?? null,
    recipient_surnames: recipient?.surnames ?? null,
    recipient_tax_id: recipient?.taxId ?? null,
    recipient_tax_id_type: recipient?.taxIdType ?? null,
    recipient_tax_id_country: recipient?.taxIdCountry ?? null,
    recipient_email: recipient?.email ?? null,
    recipient_line1: recipient?.line1 ?? null,
    recipient_line2: recipient?.line2 ?? null,
    recipient_postal_code: recipient?.postalCode ?? null,
    recipient_city: recipient?.city ?? null,
    recipient_country: recipient?.country ?? null,
  };
}

/** The lines of an invoice and their taxes as rows. */
export function lineRows(
  unnumbered: Pick<UnnumberedInvoiceRow, 'environment_id' | 'id'>,
  pricing: Pricing,
  sent: readonly { readonly rectifiesInvoiceId?: string | undefined }[] = [],
): { lines: LineRow[]; taxItems: TaxItemRow[] } {
  const owner = { environment_id: unnumbered.environment_id, invoice_id: unnumbered.id };
  const lines: LineRow[] = [];
  const taxItems: TaxItemRow[] = [];
  for (const [position, line] of pricing.lines.entries()) {
    for (const [index, item] of line.taxItems.entries()) {
      taxItems.push({
        ...owner,
        line_position: position,
        position: index,
        type: item.type,
        name: item.name,
        rate_basis_points: item.rate,
        amount: item.amount,
        ...(item.classified == null ? null : saidColumns(item)),
      });
    }
    const corrected = sent[position]?.rectifiesInvoiceId;
    lines.push({
      ...owner,
      position,
      id: lineId(unnumbered.id, position),
      description: line.description,
      sku: line.sku,
      quantity: line.quantity,
      unit_amount: line.unitAmount,
      subtotal: line.subtotal,
      tax: line.tax,
      total: line.total,
      quantity_decimal: line.quantityDecimal,
      unit_amount_decimal: line.unitAmountDecimal,
      unit_amount_gross: line.unitAmountGross,
      unit: line.unit,
      ...(corrected === undefined ? null : { rectifies_invoice_id: corrected }),
    });
  }
  return { lines, taxItems };
}

/** Of a line that says so; nearly none does, and then neither the text that is sealed nor the stored answer grows. */
function saidColumns({ regimeKey, operationClass, exemption, classified }: PricedTaxItem) {
  return { regime_key: regimeKey, operation_class: operationClass, exemption, classified };
}

/** The record of a checked invoice that lacks only its number, its link and its time. */
export function prepareRecord(
  scope: Scope,
  software: SoftwareConfig,
  { request, invoiceType, correction, exchanged, pricing, recipient }: CheckedInvoice,
  invoiceId: string,
): PreparedRegistration {
  return prepareRegistration({
    issuer: { nif: scope.issuer.nif, name: scope.issuer.legalName },
    reference: invoiceId,
    invoiceType,
    amendment: null,
    // The agency accepts replaced amounts for a substitution only (validation 1119).
    rectification: correction && {
      ...correction,
      amounts: correction.method === 'S' ? correction.amounts : null,
    },
    exchanged,
    operationOn: request.operationDate ?? correction?.operationOn ?? null,
    description: describe(pricing, correction),
    qualifiedSimplified: request.qualifiedSimplified,
    recipientUnidentified: request.recipientUnidentified,
    issuedBy: request.issuedBy === undefined ? null : declaredIssuer(request),
    // F2 and R5 declare no recipient even when one is printed (validation 1190).
    recipient:
      invoiceType === 'F2' || invoiceType === 'R5' || recipient === null
        ? null
        : declaredRecipient(recipient),
    breakdown: declaredTaxes(pricing.breakdown),
    total: pricing.total,
    software: declaredSoftware(software, scope),
  });
}

/** Who issued it in the company's name; the third party is resolved by the checks. */
function declaredIssuer({ issuedBy, thirdParty }: InvoiceRequest): RegistrationContent['issuedBy'] {
  return issuedBy === 'recipient'
    ? 'recipient'
    : declaredRecipient({ ...(thirdParty as ThirdParty), companyName: null });
}

/** The software as every record of the environment's open chain names it. */
export function declaredSoftware(
  software: SoftwareConfig,
  { installationNumber, severalBillings }: Scope,
): DeclaredSoftware {
  return { ...software, installationNumber, severalBillings };
}

/** The breakdown as a record writes it. */
export function declaredTaxes(breakdown: readonly TaxDetail[]): DeclaredTax[] {
  return breakdown.map((detail) => ({
    ...detail,
    rate: detail.declaredRate,
    base: detail.declaredBase,
    tax: detail.declaredTax,
  }));
}

/** The description for the agency: each different line description once, in order, after the corrected invoices. */
function describe(pricing: Pricing, correction: Correction | null): string {
  const distinct = new Set<string>();
  for (const { description } of pricing.lines) distinct.add(description.trim());
  const corrected = correction === null ? '' : correctedText(correction);
  return truncateText(corrected + [...distinct].join('; '), LONGEST_DESCRIPTION).trimEnd();
}

function correctedText(correction: Correction): string {
  if (correction.period !== undefined) {
    const { from, to } = correction.period;
    return `Descuento por volumen de operaciones del ${agencyDay(from)} al ${agencyDay(to)}: `;
  }
  const corrected = correction.rectified.at(-1)?.number;
  const others = (correction.rectifiesIds?.length ?? 1) - 1;
  if (others > 0) return `Rectifica ${corrected} y ${others} más: `;
  return corrected === undefined ? '' : `Rectifica ${corrected}: `;
}

/** As records write days. */
const agencyDay = (day: Day): string => day.split('-').reverse().join('-');

/** The recipient of a complete invoice, or a third party, as a record writes it. */
export function declaredRecipient(
  recipient: Pick<Recipient, 'name' | 'companyName' | 'taxId' | 'taxIdType' | 'taxIdCountry'>,
): DeclaredRecipient {
  const name = fiscalName(recipient);
  const { taxId, taxIdType, taxIdCountry } = recipient;
  if (name === null || taxId === null || taxIdType === null)
    throw new Error('a complete invoice has no recipient');
  if (taxIdType === 'es_nif') return { name, identity: { nif: taxId } };
  // With a VAT number the country is left out: Greece is EL in the number but GR in the list (validation 1122).
  const country = taxIdType === 'eu_vat' ? null : taxIdCountry;
  return { name, identity: { documentType: DOCUMENT_TYPES[taxIdType], country, id: taxId } };
}
