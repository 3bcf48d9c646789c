import type { Code } from '../../src/ground/errors/catalogue.ts';
import * as examples from './draft-examples.ts';
import { invoice } from './examples.ts';
import { idOf, issued, located, operation, paging, query } from './parts.ts';
import { answered, type refusalsAt, sent, withBody } from './responses.ts';
import { schedulePaths } from './schedule-paths.ts';
import { enumeration, type Json } from './schemas.ts';

type Refusals = ReturnType<typeof refusalsAt>;

const draftId = idOf('draft', examples.invoiceDraft.id);
const one = { description: 'The draft', ...answered('InvoiceDraft', examples.invoiceDraft) };

/** The operations on drafts. `issuing`: the refusals of issuing an invoice of any kind. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of endpoints
export function draftPaths(refusing: Refusals, issuing: readonly Code[]): Json {
  const { refusals } = refusing;
  return {
    ...schedulePaths(refusing, issuing),
    '/v1/invoice_drafts': {
      get: operation('listInvoiceDrafts', 'Drafts', 'List drafts', 'Newest first. Needs the scope `read`.', {
        parameters: [
          ...paging,
          query('status', enumeration('InvoiceDraftStatus', 'sent'), 'Only drafts with this status.'),
          query('schedule_id', { type: 'string' }, 'Only drafts created by this schedule.'),
        ],
        responses: {
          200: { description: 'A page', ...answered('InvoiceDraftPage', examples.invoiceDraftPage) },
          ...refusals(),
        },
      }),
      post: operation(
        'createInvoiceDraft',
        'Drafts',
        'Create draft',
        'Stores an invoice to be issued later: it has no number, and may be incomplete. `errors` lists what issuing would refuse. Needs the scope `issue`.',
        {
          requestBody: sent('InvoiceDraftRequest', examples.draftRequests),
          responses: {
            201: {
              description: 'Stored',
              headers: located,
              ...answered('InvoiceDraft', examples.invoiceDraft),
            },
            ...refusals(...withBody, 'invoice_draft_limit_reached'),
          },
        },
      ),
    },
    '/v1/invoice_drafts/{id}': {
      get: operation(
        'retrieveInvoiceDraft',
        'Drafts',
        'Retrieve draft',
        'One draft of the key’s environment. Needs the scope `read`.',
        {
          parameters: [draftId],
          responses: { 200: one, ...refusals('invoice_draft_not_found') },
        },
      ),
      patch: operation(
        'updateInvoiceDraft',
        'Drafts',
        'Update draft',
        'Fields that are not sent remain unchanged; `invoice` is replaced as a whole. The draft is validated again. Needs the scope `issue`.',
        {
          parameters: [draftId],
          requestBody: sent('InvoiceDraftChange', examples.draftChanges),
          responses: { 200: one, ...refusals(...withBody, ...lost) },
        },
      ),
      delete: operation(
        'deleteInvoiceDraft',
        'Drafts',
        'Delete draft',
        'Only a draft that has not been issued. Needs the scope `issue`.',
        {
          parameters: [draftId],
          responses: {
            204: { description: 'Deleted' },
            ...refusals(...withBody, 'invoice_draft_not_found', 'invoice_draft_already_issued'),
          },
        },
      ),
    },
    '/v1/invoice_drafts/{id}/issue': {
      post: operation(
        'issueInvoiceDraft',
        'Drafts',
        'Issue draft',
        'Issues the draft by the rules of `POST /v1/invoices` as of now. A draft has one invoice: issuing it again returns that one. Needs the scope `issue`.',
        {
          parameters: [draftId],
          responses: {
            201: {
              description: 'Issued',
              headers: issued,
              ...answered('Invoice', { ...invoice, draft_id: examples.invoiceDraft.id }),
            },
            ...refusals(...issuing, 'invoice_draft_not_found', 'invoice_draft_changed'),
          },
        },
      ),
    },
  };
}

const lost = [
  'invoice_draft_not_found',
  'invoice_draft_already_issued',
  'invoice_draft_changed',
] as const satisfies readonly Code[];
