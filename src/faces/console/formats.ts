import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { bdi, type Html, html } from '../web/html.ts';
import { badge, table } from './components.ts';
import type { OperatorContext } from './page.ts';
import { stored } from './query.ts';
import { say } from './words.ts';

/** Whether an invoice has a structured format, and why it has not. */
export type FormatOffer = {
  readonly format: string;
  readonly label: string;
  readonly isProvisional: boolean;
  readonly reason: string | null;
  readonly warning: string | null;
};

/** Each format of an invoice, as a file to download or with the reason why there is none. */
export function formatList(
  root: string,
  { id, formats }: { id: string; formats: readonly FormatOffer[] },
): Html {
  return table(
    'Structured documents',
    [
      {
        head: 'Format',
        cell: ({ label, isProvisional }) =>
          html`${label}${isProvisional && html` ${badge('provisional', 'Provisional')}`}`,
      },
      {
        head: 'Document',
        cell: ({ format, label, reason, warning }) =>
          reason === null
            ? html`<a href="${root}/invoices/${id}/formats/${format}" download>${say('Download')}<span class="unseen"> ${label}</span></a>${warning !== null && html` <span class="soft">${warning}</span>`}`
            : html`<span class="soft">${bdi(reason)}</span>`,
      },
    ],
    formats,
    'No formats.',
  );
}

const QUERY = stored(`query ConsoleDocument($id: ID!, $format: ExportedForm!) {
  invoice(id: $id) { document(format: $format) { filename mediaType content } }
}`);

/** The document that the address names. */
export async function invoiceDocument(
  context: OperatorContext,
): Promise<Outcome<{ readonly filename: string; readonly mediaType: string; readonly bytes: Buffer }>> {
  const format = context.param('format') as Parameters<typeof QUERY>[1]['format'];
  const found = await QUERY(context, { id: context.param('id'), format });
  if (isRefusal(found)) return found;
  const document = found.invoice?.document;
  if (document == null) return new Refusal('invoice_not_found', 'There is no such document.');
  const { filename, mediaType, content } = document;
  return { filename, mediaType, bytes: Buffer.from(content, 'base64') };
}
