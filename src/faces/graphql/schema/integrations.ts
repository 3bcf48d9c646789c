import { z } from 'zod';
import { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { id, optional } from '../../../ground/lib/request-fields.ts';
import { line } from '../../../ground/lib/text.ts';
import { createIntegration, integrationRequest } from '../../../subjects/customers/integrations.ts';
import { builder } from '../builder.ts';
import { namesOf } from '../connections.ts';
import { environmentArguments, environmentFromArguments, namedEnvironment } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { pageCost } from '../paging.ts';
import { OLDEST_FIRST, prismaListOf } from '../prisma-list.ts';
import { Node } from './node-interface.ts';

export const IntegrationType = builder.prismaObject('Integration', {
  interfaces: [Node],
  description: 'A shop or billing system of the merchant, with its customers and orders.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    standardSeriesId: t.exposeID('standardSeriesId', {
      nullable: true,
      description: 'The series of its invoices; null for the environment’s default series.',
    }),
    rectifyingSeriesId: t.exposeID('rectifyingSeriesId', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.queryField('integrations', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: IntegrationType,
      complexity: (args) => pageCost(args),
      description:
        'The integrations of the key’s environment, oldest first. `first` and `last` are 1 to 100, 25 by default. With an operator’s key, the environment is required.',
      args: environmentArguments,
      resolve: async (_root, { companyId, environment, ...paging }, context, info) => {
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const list = { model: 'Integration', where: { environmentId }, order: OLDEST_FIRST } as const;
        return prismaListOf(context, info, paging, list);
      },
    },
    ...namesOf('Integration'),
  ),
);

const ofEnvironment = {
  companyId: id.describe('The company.'),
  environment: z.enum(EnvironmentKind).describe('Test or live.'),
};
const reason = line(500).describe('The reason; kept in the audit log.');

const CreateIntegrationInput = inputType(
  z
    .strictObject({ ...ofEnvironment, ...integrationRequest.shape, reason: optional(reason) })
    .describe('A new integration.'),
  'CreateIntegrationInput',
);

builder.mutationField('createIntegration', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: IntegrationType,
    description: 'Creates an integration. Series that it uses can no longer be deleted.',
    args: { input: t.arg({ type: CreateIntegrationInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { keyId } = context.caller;
      const { companyId, environment, reason, ...integration } = input;
      const by = { actor: keyId, reason: reason ?? null };
      const request = valueOrThrow(parseRequest(integrationRequest, integration));
      const environmentId = await namedEnvironment(context, { companyId, environment });
      return valueOrThrow(await createIntegration(context.services.db, environmentId, request, by));
    },
  }),
);
