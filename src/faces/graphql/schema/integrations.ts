import { z } from 'zod';
import { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import { given } from '../../../ground/db/filter.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { id, optional } from '../../../ground/lib/request-fields.ts';
import { exactLine, line } from '../../../ground/lib/text.ts';
import { customerRequest, findCustomer, saveCustomer } from '../../../subjects/customers/customers.ts';
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

export const CustomerType = builder.prismaObject('Customer', {
  interfaces: [Node],
  description: 'A customer of an integration.',
  fields: (t) => ({
    id: t.exposeID('id'),
    integrationId: t.exposeID('integrationId'),
    externalCustomerId: t.exposeString('externalCustomerId', {
      description: 'The id of the customer in the integration.',
    }),
    name: t.exposeString('name', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
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

builder.queryField('customer', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: CustomerType,
    description:
      'One customer of the environment; `customer_not_found` if it does not exist, `customer_ambiguous` if there are several integrations and none is named.',
    args: {
      externalCustomerId: t.arg.string({ required: true }),
      integrationId: t.arg.id(),
      ...environmentArguments,
    },
    resolve: async (_root, { externalCustomerId, integrationId, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const reference = { externalCustomerId, integrationId: integrationId ?? undefined };
      return valueOrThrow(await findCustomer(context.services.db, environmentId, reference));
    },
  }),
);

const BY_EXTERNAL_ID = [
  ['externalCustomerId', 'asc'],
  ['id', 'asc'],
] as const;

const customerListRequest = z.strictObject({
  integrationId: exactLine(60).nullish(),
  externalCustomerId: exactLine(255).nullish(),
});

builder.queryField('customers', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: CustomerType,
      description:
        'The customers of the environment, ordered by external id. `first` and `last` are 1 to 100, 25 by default.',
      args: {
        integrationId: t.arg.id({ description: 'Only customers of this integration.' }),
        externalCustomerId: t.arg.string({
          description: 'Only customers with this id in their integration.',
        }),
        ...environmentArguments,
      },
      complexity: (args) => pageCost(args),
      resolve: async (_root, { integrationId, externalCustomerId, ...others }, context, info) => {
        const { companyId, environment, ...paging } = others;
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const filter = valueOrThrow(parseRequest(customerListRequest, { integrationId, externalCustomerId }));
        const where = { environmentId, ...given(filter) };
        return prismaListOf(context, info, paging, { model: 'Customer', where, order: BY_EXTERNAL_ID });
      },
    },
    ...namesOf('Customer'),
  ),
);

const SaveCustomerInput = inputType(
  z
    .strictObject({ ...ofEnvironment, ...customerRequest.shape, reason })
    .describe('A customer of an integration.'),
  'SaveCustomerInput',
);

builder.mutationField('saveCustomer', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: CustomerType,
    description: 'Creates or updates a customer. The actor and the reason are kept in the audit log.',
    args: { input: t.arg({ type: SaveCustomerInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { keyId } = context.caller;
      const { companyId, environment, reason, ...customer } = input;
      const request = valueOrThrow(parseRequest(customerRequest, customer));
      const environmentId = await namedEnvironment(context, { companyId, environment });
      const by = { actor: keyId, reason };
      return valueOrThrow(await saveCustomer(context.services.db, by, environmentId, request));
    },
  }),
);
