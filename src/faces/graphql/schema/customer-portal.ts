import { PORTAL_SESSION, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { portalSessionRequest } from '../../../subjects/customers/portal-session-request.ts';
import { createPortalSession } from '../../../subjects/customers/portal-sessions.ts';
import type { NewPortalSession } from '../../../subjects/customers/shapes.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { READS_NOTHING } from '../null-at-own-path.ts';

const CustomerPortalSession = builder.objectRef<NewPortalSession>('CustomerPortalSession').implement({
  description:
    'A link for a customer to its portal page: invoices, statuses, documents, exchange of tickets. `node` does not return it: its link is shown only once.',
  fields: (t) => ({
    id: t.exposeID('id'),
    url: t.string({
      description:
        'Opens the page until `expiresAt`, each time in a separate session: give it only to that customer.',
      extensions: READS_NOTHING,
      resolve: ({ token }, _args, { services }) => `${services.config.baseUrl}/portal/${token}`,
    }),
    externalCustomerId: t.exposeString('externalCustomerId'),
    integrationId: t.exposeID('integrationId'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the link and the sessions that it has opened expire.',
    }),
  }),
});

const CreateCustomerPortalSessionInput = inputType(portalSessionRequest, 'CreateCustomerPortalSessionInput');

builder.mutationField('createCustomerPortalSession', (t) =>
  t.withAuth({ scope: 'issue' }).field({
    type: CustomerPortalSession,
    description:
      'Creates a link to the page of a customer. Codes: `customer_not_found`, `customer_ambiguous`.',
    args: { input: t.arg({ type: CreateCustomerPortalSessionInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { environmentId, keyId: actor } = context.caller;
      const request = valueOrThrow(parseRequest(portalSessionRequest, input));
      const outcome = await createPortalSession(context.services.db, environmentId, request, {
        actor,
        reason: null,
      });
      return valueOrThrow(withFieldsOf(PORTAL_SESSION, outcome));
    },
  }),
);
