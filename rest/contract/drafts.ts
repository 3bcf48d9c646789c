import { z } from 'zod';
import { snakePath } from '../../src/ground/lib/case.ts';
import {
  draftChange,
  draftRequest,
  isDraftId,
  isScheduleId,
} from '../../src/subjects/drafts/draft-request.ts';
import { DRAFT_STATUSES } from '../../src/subjects/drafts/types.ts';
import { issueDraftHandler } from '../issue-draft.ts';
import * as examples from '../openapi/draft-examples.ts';
import { invoice as issuedInvoice } from '../openapi/examples.ts';
import { replayed } from '../openapi/parts.ts';
import { invoice } from '../response-schemas.ts';
import { cents, instant, nullableText, oneOf, text } from '../schema-parts.ts';
import { CORRECTING, ISSUING } from './issuing-codes.ts';
import { listed, paging } from './lists.ts';
import { operations } from './operation.ts';

/** An invoice as it was sent: the document describes it like the request (`schemaComponents`). */
export const draftInvoice = z.record(text, z.unknown()).meta({ id: 'DraftInvoice' });

const draftFault = z
  .strictObject({
    field: nullableText.describe(
      'The field of the invoice, such as `line_items[0].quantity`; null if none is concerned.',
    ),
    code: text.describe('The code with which issuing would be refused, or a short reason.'),
    message: text.describe('A message for people.'),
  })
  .meta({ id: 'InvoiceDraftFault' });

const draftFailure = z
  .strictObject({
    code: text.describe('The code with which issuing was refused.'),
    detail: text.describe('A message for people.'),
  })
  .meta({ id: 'InvoiceDraftFailure' });

const invoiceDraft = z
  .strictObject({
    id: text.describe('An opaque id.'),
    status: oneOf(DRAFT_STATUSES).describe('Whether it was issued.'),
    invoice: draftInvoice.describe('The invoice as it was sent.'),
    due_in_days: z.int().nullable().describe('Number of days from issue to the due date.'),
    errors: z
      .array(draftFault)
      .describe('The errors that issuing would have given at the last validation; empty if none.'),
    subtotal: cents.nullable().describe('Net; null while its lines cannot be priced.'),
    tax: cents.nullable().describe('All taxes; null while its lines cannot be priced.'),
    total: cents.nullable().describe('`subtotal` and `tax`; null while its lines cannot be priced.'),
    schedule_id: nullableText.describe('The schedule that created it.'),
    period: z.iso.date().nullable().describe('The day of the schedule for which it was created.'),
    failure: draftFailure
      .nullable()
      .describe('Why its schedule could not issue it; null if it did not fail.'),
    invoice_id: nullableText.describe('The invoice, once it is issued.'),
    created_at: instant.describe('When it was created.'),
    updated_at: instant.describe('When it was last changed, or issued.'),
  })
  .meta({ id: 'InvoiceDraft' });

const ids = { id: ['draft', examples.invoiceDraft.id] } as const;
const draft = { schema: invoiceDraft, example: examples.invoiceDraft };

type Selected = {
  readonly errors: readonly { readonly field: string | null }[];
  readonly failureCode: string | null;
  readonly failureDetail: string | null;
};

const asShown = {
  selected: { failure: 'failureCode failureDetail' },
  shown: ({ failureCode: code, failureDetail: detail, ...rest }: Selected) => ({
    ...rest,
    errors: rest.errors.map(({ field, ...error }) => ({
      field: field === null ? null : snakePath(field),
      ...error,
    })),
    failure: code === null ? null : { code, detail },
  }),
};

export const draftOperations = operations('Drafts', [
  {
    id: 'listInvoiceDrafts',
    method: 'GET',
    path: '/v1/invoice_drafts',
    field: 'invoiceDrafts',
    summary: 'List drafts',
    description: 'Newest first. Needs the scope `read`.',
    query: {
      ...paging(isDraftId, 'invoice draft'),
      status: z.enum(DRAFT_STATUSES).describe('Only drafts with this status.'),
      schedule_id: z
        .string()
        .refine(isScheduleId, 'is not the id of a schedule')
        .describe('Only drafts created by this schedule.'),
    },
    answer: listed('InvoiceDraftPage', invoiceDraft, examples.invoiceDraft),
    ...asShown,
    command: {
      name: 'drafts list',
      options: { schedule_id: 'schedule <sch_…>' },
      examples: [
        ['Open drafts', 'drafts list --status open'],
        ['Drafts of an environment, from the database', 'drafts list --environment $ENVIRONMENT --json'],
      ],
    },
    tool: { name: 'list_drafts', rows: 'drafts' },
  },
  {
    id: 'createInvoiceDraft',
    method: 'POST',
    path: '/v1/invoice_drafts',
    field: 'createInvoiceDraft',
    summary: 'Create a draft',
    description:
      'Stores an invoice to be issued later: it has no number, and may be incomplete. `errors` lists what issuing would refuse. Needs the scope `issue`.',
    body: {
      schema: draftRequest,
      examples: examples.draftRequests,
    },
    answer: { status: 201, description: 'Stored', ...draft },
    ...asShown,
    codes: ['invoice_draft_limit_reached'],
    command: { name: 'drafts create', examples: [['A ticket', 'drafts create -f draft.json']] },
  },
  {
    id: 'retrieveInvoiceDraft',
    method: 'GET',
    path: '/v1/invoice_drafts/{id}',
    field: 'invoiceDraft',
    summary: 'Read a draft',
    description: 'One draft of the key’s environment. Needs the scope `read`.',
    ids,
    answer: { status: 200, description: 'The draft', ...draft },
    ...asShown,
    state: 'updated_at',
    codes: ['invoice_draft_not_found'],
    command: { name: 'drafts get', examples: [['As JSON', 'drafts get $DRAFT --json']] },
  },
  {
    id: 'updateInvoiceDraft',
    method: 'PATCH',
    path: '/v1/invoice_drafts/{id}',
    field: 'updateInvoiceDraft',
    summary: 'Update a draft',
    description:
      'Fields that are not sent remain unchanged; `invoice` is replaced as a whole. The draft is validated again. With `If-Match` it is changed only in the state that was read. Needs the scope `issue`.',
    ids,
    body: {
      schema: draftChange,
      examples: examples.draftChanges,
    },
    answer: { status: 200, description: 'The draft', ...draft },
    ...asShown,
    state: 'updated_at',
    codes: ['invoice_draft_not_found', 'invoice_draft_already_issued', 'invoice_draft_changed', 'conflict'],
  },
  {
    id: 'deleteInvoiceDraft',
    method: 'DELETE',
    path: '/v1/invoice_drafts/{id}',
    field: 'deleteInvoiceDraft',
    summary: 'Delete a draft',
    description: 'Only a draft that has not been issued. Needs the scope `issue`.',
    ids,
    answer: { status: 204, description: 'Deleted' },
    codes: ['invoice_draft_not_found', 'invoice_draft_already_issued'],
    command: { name: 'drafts delete', examples: [['Over REST', 'drafts delete $DRAFT']] },
  },
  {
    id: 'issueInvoiceDraft',
    method: 'POST',
    path: '/v1/invoice_drafts/{id}/issue',
    field: 'issueInvoiceDraft',
    summary: 'Issue a draft',
    description:
      'Issues the draft by the rules of `POST /v1/invoices` as of now. A draft has one invoice: issuing it again returns that one. Needs the scope `issue`.',
    ids,
    answer: {
      status: 201,
      description: 'Issued',
      schema: invoice,
      example: { ...issuedInvoice, draft_id: examples.invoiceDraft.id },
      headers: replayed,
    },
    handler: issueDraftHandler,
    codes: [...ISSUING, ...CORRECTING, 'invoice_draft_not_found', 'invoice_draft_changed'],
    command: {
      name: 'drafts issue',
      examples: [
        ['Over REST', 'drafts issue $DRAFT'],
        [
          'On the database',
          'drafts issue $OPENDRAFT --environment $ENVIRONMENT --reason "the merchant asked"',
        ],
      ],
    },
  },
]);
