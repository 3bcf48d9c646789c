import type { EnumOf } from '../graphql/typed-documents.ts';
import { bdi, type Html, html } from '../web/html.ts';
import { agencyMessage, badge, recordPlace, remediationSteps } from './components.ts';
import { age } from './format.ts';
import { parkedRemediation, recordRemediation, type Step, splitReason } from './remediation.ts';
import { say, sayWith } from './words.ts';

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
<p class="soft">${more}<a href="${root}/records/${recordId}">${recordPlace({ kind, position, chainId })}</a></p>`;
}

/** What the agency answered for a record, and what to do about it. */
export function failedArticle(root: string, record: FailedRecord): Html {
  const { companyId, legalName, status, code, message, settledAt } = record;
  const where = html`<a href="${root}/companies/${companyId}">${bdi(legalName)}</a> · ${settledAt !== null && `${say('{time} ago', { time: age(settledAt) })} · `}`;
  return html`<article class="card matter">${head(root, record, badge(status), where)}
<p>${sayWith('The agency: {message}', { message: agencyMessage(code, message) })}</p>
${remediationSteps(recordRemediation(status, code), stepAddress(root, record))}</article>`;
}

/** Why a record was taken out of the way, and what to do about it. */
function parkedArticle(root: string, record: ParkedRecord): Html {
  const { code } = splitReason(record.reason);
  const { companyId, legalName, generatedAt } = record;
  const waits = html`<a href="${root}/companies/${companyId}">${bdi(legalName)}</a> · ${say('made {time} ago', { time: age(generatedAt) })} · `;
  return html`<article class="card matter">${head(root, record, badge('parked', 'Parked'), waits)}
${parkedExplanation(record.reason)}
${remediationSteps(parkedRemediation(code), stepAddress(root, record))}</article>`;
}

/** As many as a person reads one by one, as `lacre doctor` shows them. */
const SINGLY = 2;
const EXAMPLES = 3;
/** So many are read for a page. */
export const READ = 100;

/** What is listed by its cause: more than two of the same are shown as one. */
export type ByCause<T> = {
  readonly cause: (one: T) => string;
  readonly one: (one: T) => Html | null;
  readonly many: (first: T, all: readonly T[]) => Html;
};

export function groupedByCause<T>(found: readonly T[], { cause, one, many }: ByCause<T>): (Html | null)[] {
  return [...Map.groupBy(found, cause).values()].flatMap((group) =>
    group.length <= SINGLY ? group.map(one) : [many(group[0]!, group)],
  );
}

/** The first of many, by name. */
export function suchAs<T extends { readonly legalName: string }>(
  all: readonly T[],
  link: (one: T) => string,
): Html {
  const links = all.slice(0, EXAMPLES).map((one) => html`<a href="${link(one)}">${bdi(one.legalName)}</a>`);
  return sayWith('such as {names}', { names: links.map((one, index) => html`${index > 0 && ', '}${one}`) });
}

const countOf = (group: readonly unknown[], all: readonly unknown[]): string =>
  all.length === READ
    ? say('At least {count} records', { count: group.length })
    : say('{count} records', { count: group.length });

/** Parked records; of more than two that were parked for the same reason one article, with what may be done to all of them. */
export function parkedArticles(root: string, records: readonly ParkedRecord[]): (Html | null)[] {
  return groupedByCause(records, {
    cause: ({ reason }) => reason,
    one: (record) => parkedArticle(root, record),
    many: (
      { reason },
      all,
    ) => html`<article class="card matter"><h3>${countOf(all, records)} ${badge('parked', 'Parked')}</h3>
<p class="soft">${suchAs(all, ({ recordId }) => `${root}/records/${recordId}`)}</p>
${parkedExplanation(reason)}
<p class="remediation">${say(parkedRemediation(splitReason(reason).code).text)}</p>
<p class="ways"><a class="button small" href="${root}/failures/unpark-records?cause=${encodeURIComponent(reason.slice(0, 300))}">${say('Unpark all…')}</a></p></article>`,
  });
}

function parkedExplanation(reason: string): Html {
  const { code, text } = splitReason(reason);
  if (code === null) return html`<p>${sayWith('Parked by an operator: {reason}', { reason: bdi(text) })}</p>`;
  return html`<p>${sayWith('The agency’s message on the envelope: {message}', { message: agencyMessage(code, text) })}</p>`;
}

/** What the agency refused or flagged; of more than two with the same answer one article. */
export function failedArticles(root: string, records: readonly FailedRecord[]): (Html | null)[] {
  return groupedByCause(records, {
    cause: ({ status, code, message }) => `${status} ${code} ${message}`,
    one: (record) => failedArticle(root, record),
    many: (
      { status, code, message },
      all,
    ) => html`<article class="card matter"><h3>${countOf(all, records)} ${badge(status)}</h3>
<p class="soft">${suchAs(all, ({ recordId }) => `${root}/records/${recordId}`)}</p>
<p>${sayWith('The agency: {message}', { message: agencyMessage(code, message) })}</p>
<p class="remediation">${say(recordRemediation(status, code).text)}</p>
<p class="ways"><a class="button small" href="${root}/failures?code=${code ?? 'none'}">${say('All of them')}</a></p></article>`,
  });
}
