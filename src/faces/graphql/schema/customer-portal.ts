import { PORTAL_SESSION, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { portalSessionRequest } from '../../../subjects/customers/portal-session-request.ts';
import { createPortalSession } from '../../../subjects/customers/portal-sessions.ts';
import type { NewPortalSession } from '../../../subjects/customers/shapes.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';

const CustomerPortalSession = builder.objectRef<NewPortalSession>('CustomerPortalSession').implement({
  description: 'A session of a customer on its portal page: invoices, states, documents, exchanging tickets.',
  fields: (t) => ({
    id: t.exposeID('id'),
    url: t.string({
      description:
        'Opens the page until `expiresAt`, each time as a separate session: send only that customer there.',
      resolve: ({ token }, _args, { services }) => `${services.config.baseUrl}/portal/${token}`,
    }),
    externalCustomerId: t.exposeString('externalCustomerId'),
    integrationId: t.exposeID('integrationId'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When both the link and the visits that it opened are over.',
    }),
  }),
});

const CreateCustomerPortalSessionInput = builder.inputType('CreateCustomerPortalSessionInput', {
  fields: (t) => ({
    externalCustomerId: t.string({ required: true }),
    integrationId: t.id({ description: 'Needed when the environment has several integrations.' }),
    returnUrl: t.string({ description: 'The target of the page’s back link; http or https.' }),
  }),
});

builder.mutationField('createCustomerPortalSession', (t) =>
  t.withAuth({ scope: 'issue' }).field({
    type: CustomerPortalSession,
    description: 'Opens the page of a customer. Codes: `customer_not_found`, `customer_ambiguous`.',
    args: { input: t.arg({ type: CreateCustomerPortalSessionInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { environmentId } = context.caller;
      const request = valueOrThrow(parseRequest(portalSessionRequest, input));
      const outcome = await createPortalSession(context.services.db, environmentId, request);
      return valueOrThrow(withFieldsOf(PORTAL_SESSION, outcome));
    },
  }),
);
