import type { EnumOf } from '../graphql/typed-documents.ts';
import { bdi, type Html, html } from '../web/html.ts';
import { agencyMessage, badge, kindNames, remediationSteps } from './components.ts';
import { age } from './format.ts';
import { parkedRemediation, recordRemediation, type Step, splitReason } from './remediation.ts';

/** A record that the agency refused or flagged, as GraphQL gives it. */
export type FailedRecord = {
  readonly recordId: string;
  readonly companyId: string;
  readonly legalName: string;
  readonly chainId: number;
  readonly position: number;
  readonly kind: 'registration' | 'cancellation';
  readonly invoiceId: string;
  readonly number: string;
  readonly status: EnumOf<'RegistrationStatus'>;
  readonly code: string | null;
  readonly message: string | null;
  readonly settledAt: string | null;
};

export const FAILED_FIELDS =
  'recordId companyId legalName chainId position kind invoiceId number status code message settledAt';

export type ParkedRecord = {
  readonly recordId: string;
  readonly companyId: string;
  readonly legalName: string;
  readonly chainId: number;
  readonly position: number;
  readonly kind: 'registration' | 'cancellation';
  readonly invoiceId: string;
  readonly number: string;
  readonly generatedAt: string;
  readonly reason: string;
};

export const PARKED_FIELDS =
  'recordId companyId legalName chainId position kind invoiceId number generatedAt reason';

/** Where the next step about a record is taken. */
export function stepAddress(
  root: string,
  { recordId, invoiceId }: { readonly recordId: string; readonly invoiceId: string },
) {
  return (step: Step): string | null => {
    switch (step) {
      case 'amend':
      case 'void':
        return `${root}/invoices/${invoiceId}/${step}`;
      case 'unpark':
      case 'skip':
        return `${root}/records/${recordId}/${step}`;
      default:
        return null;
    }
  };
}

type RecordHead = Pick<FailedRecord, 'recordId' | 'chainId' | 'position' | 'kind' | 'invoiceId' | 'number'>;

function head(root: string, record: RecordHead, badges: Html, more: Html | null): Html {
  const { recordId, invoiceId, number, chainId, position, kind } = record;
  return html`<h3><a href="${root}/invoices/${invoiceId}">${bdi(number)}</a> ${badges}</h3>
<p class="soft">${more}<a href="${root}/records/${recordId}">${kindNames[kind]}, position ${position} of chain ${chainId}</a></p>`;
}

/** What the agency answered for a record, and what to do about it. */
export function failedArticle(root: string, record: FailedRecord): Html {
  const { companyId, legalName, status, code, message, settledAt } = record;
  const where = html`<a href="${root}/companies/${companyId}">${bdi(legalName)}</a> · ${settledAt !== null && `${age(settledAt)} ago · `}`;
  return html`<article class="card matter">${head(root, record, badge(status), where)}
<p>The agency: ${agencyMessage(code, message)}</p>
${remediationSteps(recordRemediation(status, code), stepAddress(root, record))}</article>`;
}

/** Why a record was taken out of the way, and what to do about it. */
export function parkedArticle(root: string, record: ParkedRecord): Html {
  const { code, text } = splitReason(record.reason);
  const explanation =
    code === null
      ? html`<p>Parked by an operator: ${bdi(text)}</p>`
      : html`<p>The agency’s message on the envelope: ${agencyMessage(code, text)}</p>`;
  const { companyId, legalName, generatedAt } = record;
  const waits = html`<a href="${root}/companies/${companyId}">${bdi(legalName)}</a> · made ${age(generatedAt)} ago · `;
  return html`<article class="card matter">${head(root, record, badge('parked', 'Parked'), waits)}
${explanation}
${remediationSteps(parkedRemediation(code), stepAddress(root, record))}</article>`;
}
