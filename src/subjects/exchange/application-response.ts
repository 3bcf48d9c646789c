import type { Day } from '../../ground/lib/calendar.ts';
import { child, text, type XmlElement, XmlFault, XmlReader } from '../../ground/lib/xml.ts';
import { text as plain, xmlDocument } from '../formats/xml.ts';
import type { MessageKind } from './types.ts';

/**
 * Statuses in UBL 2.1 as an ApplicationResponse (Orden HAC/1028/2026, Annex II, as quoted: its schema and its code
 * list are not published). The issuer's four codes are the Order's; those of recipients and of acceptance or
 * refusal are our interpretation.
 */

const CODES = {
  settled: 'SETTLEMENT',
  settlement_cancelled: 'CANCELSETTLEMENT',
  not_paid: 'DEFAULT',
  not_paid_cancelled: 'CANCELDEFAULT',
} as const satisfies Record<Exclude<MessageKind, 'invoice'>, string>;

/** A status that the issuer reports on an invoice accepted before with the id `invoiceMessage`. */
export type IssuerStatus = {
  readonly id: string;
  readonly kind: keyof typeof CODES;
  /** The day from which it applies. */
  readonly on: Day;
  /** The day of the report. */
  readonly reportedOn: Day;
  readonly issuerNif: string;
  readonly recipientNif: string;
  readonly invoice: { readonly number: string; readonly issuedOn: Day; readonly message: string };
};

const COMMON = 'urn:oasis:names:specification:ubl:schema:xsd';

/** A status as a document. The same status gives the same bytes. */
export function statusDocument(status: IssuerStatus): Buffer {
  const { id, kind, on, reportedOn, issuerNif, recipientNif, invoice } = status;
  return xmlDocument({
    ApplicationResponse: {
      '@xmlns': `${COMMON}:ApplicationResponse-2`,
      '@xmlns:cac': `${COMMON}:CommonAggregateComponents-2`,
      '@xmlns:cbc': `${COMMON}:CommonBasicComponents-2`,
      'cbc:UBLVersionID': '2.1',
      'cbc:ID': id,
      'cbc:IssueDate': reportedOn,
      'cac:SenderParty': party(issuerNif),
      'cac:ReceiverParty': party(recipientNif),
      'cac:DocumentResponse': {
        'cac:Response': { 'cbc:ResponseCode': CODES[kind], 'cbc:EffectiveDate': on },
        'cac:DocumentReference': {
          'cbc:ID': plain(invoice.number),
          'cbc:UUID': invoice.message,
          'cbc:IssueDate': invoice.issuedOn,
        },
      },
    },
  });
}

const party = (nif: string) => ({
  'cac:PartyTaxScheme': { 'cbc:CompanyID': plain(nif), 'cac:TaxScheme': { 'cbc:ID': 'LOC' } },
});

/** The content of an answer or of a recipient's status. */
export type ReportedStatus = {
  readonly code: string;
  readonly reason: string | null;
  readonly on: string | null;
  readonly reportedOn: string | null;
  /** The id of the message that contained the invoice. */
  readonly message: string | null;
};

/**
 * Parses an ApplicationResponse from outside; null for anything else. Without entities, and within the limits for
 * answers.
 */
export function readResponse(bytes: Uint8Array): ReportedStatus | null {
  try {
    const reader = new XmlReader();
    reader.write(bytes);
    return statusIn(child(reader.close(), 'ApplicationResponse'));
  } catch (error) {
    if (error instanceof XmlFault) return null;
    throw error;
  }
}

function statusIn(root: XmlElement | null): ReportedStatus | null {
  const answered = child(root, 'DocumentResponse');
  const response = child(answered, 'Response');
  const code = text(response, 'ResponseCode');
  if (code === null) return null;
  return {
    ...{ code, reason: text(response, 'Description'), on: text(response, 'EffectiveDate') },
    reportedOn: text(root, 'IssueDate'),
    message: text(child(answered, 'DocumentReference'), 'UUID'),
  };
}
