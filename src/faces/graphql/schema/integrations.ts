import { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { line } from '../../../ground/lib/text.ts';
import {
  customerRequest,
  findCustomer,
  listCustomers,
  saveCustomer,
} from '../../../subjects/customers/customers.ts';
import {
  createIntegration,
  integrationRequest,
  listIntegrations,
} from '../../../subjects/customers/integrations.ts';
import type { Customer, Integration } from '../../../subjects/customers/shapes.ts';
import { builder } from '../builder.ts';
import { environmentArguments, environmentMeant, namedEnvironment } from '../environment.ts';
import { orRefuse } from '../errors.ts';
import { listedWhole } from '../work.ts';
import { EnvironmentEnum } from './enums.ts';
import { Node } from './node-interface.ts';

const PAGE = { default: 25, max: 100 };

export const IntegrationType = builder.objectRef<Integration>('Integration').implement({
  interfaces: [Node],
  description: 'A shop or billing system of the merchant, with its customers and orders.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    standardSeriesId: t.exposeID('standardSeriesId', {
      nullable: true,
      description: 'Its invoices go on this series; null for the default one of the environment.',
    }),
    rectifyingSeriesId: t.exposeID('rectifyingSeriesId', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const CustomerType = builder.objectRef<Customer>('Customer').implement({
  interfaces: [Node],
  description: 'Whom an integration sells to.',
  fields: (t) => ({
    id: t.exposeID('id'),
    integrationId: t.exposeID('integrationId'),
    externalCustomerId: t.exposeString('externalCustomerId', { description: "The integration's own id." }),
    name: t.exposeString('name', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.queryField('integrations', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: [IntegrationType],
    complexity: { multiplier: 100 },
    extensions: { rows: 'page' },
    description: `The integrations of the key's environment, the oldest first, at most ${LIMITS.listRows.value}. An operator's key says which environment.`,
    args: environmentArguments,
    resolve: async (_root, named, context, info) => {
      const environmentId = await environmentMeant(context, named);
      return listedWhole(context, info, (most) => listIntegrations(context.services.db, environmentId, most));
    },
  }),
);

const CreateIntegrationInput = builder.inputType('CreateIntegrationInput', {
  fields: (t) => ({
    companyId: t.id({ required: true }),
    environment: t.field({ type: EnvironmentEnum, required: true }),
    name: t.string({ required: true, description: 'Unique in the environment.' }),
    standardSeriesId: t.id(),
    rectifyingSeriesId: t.id(),
    reason: t.string({ description: 'Why; kept in the audit log.' }),
  }),
});

builder.mutationField('createIntegration', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: IntegrationType,
    description: 'Makes an integration. Series that it uses cannot be deleted any more.',
    args: { input: t.arg({ type: CreateIntegrationInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { keyId } = context.caller;
      const { companyId, environment, reason, ...integration } = input;
      const by = { actor: keyId, reason: reason ?? null };
      const request = orRefuse(parseRequest(integrationRequest, integration));
      const environmentId = await namedEnvironment(context, { companyId, environment });
      return orRefuse(await createIntegration(context.services.db, environmentId, request, by));
    },
  }),
);

builder.queryField('customer', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: CustomerType,
    nullable: true,
    description:
      'One customer of the environment; `customer_not_found` when there is none, `customer_ambiguous` when there are several integrations and none is named.',
    args: {
      externalCustomerId: t.arg.string({ required: true }),
      integrationId: t.arg.id(),
      ...environmentArguments,
    },
    resolve: async (_root, { externalCustomerId, integrationId, ...named }, context) => {
      const environmentId = await environmentMeant(context, named);
      const wanted = { externalCustomerId, integrationId: integrationId ?? undefined };
      return orRefuse(await findCustomer(context.services.db, environmentId, wanted));
    },
  }),
);

const customerListRequest = z.strictObject({
  first: z.int().min(1).max(PAGE.max).nullish(),
  after: z.string().nullish(),
  integrationId: z.string().nullish(),
  externalCustomerId: line(255).nullish(),
});

builder.queryField('customers', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).connection({
    type: CustomerType,
    description:
      'The customers of the environment by their external ids. `first` is 1 to 100, 25 by default.',
    args: { integrationId: t.arg.id(), externalCustomerId: t.arg.string(), ...environmentArguments },
    complexity: (args) => ({ field: 1, multiplier: args.first ?? PAGE.default }),
    resolve: async (_root, { first, after, integrationId, externalCustomerId, ...named }, context) => {
      const environmentId = await environmentMeant(context, named);
      const asked = { first, after, integrationId, externalCustomerId };
      const request = orRefuse(parseRequest(customerListRequest, asked));
      const filter = {
        integrationId: request.integrationId ?? undefined,
        externalCustomerId: request.externalCustomerId ?? undefined,
      };
      const page = { first: request.first ?? PAGE.default, after: request.after ?? null };
      const list = await listCustomers(context.services.db, environmentId, filter, page);
      const { customers, hasMore } = orRefuse(list);
      return {
        edges: customers.map((node) => ({ cursor: node.id, node })),
        pageInfo: {
          hasNextPage: hasMore,
          hasPreviousPage: page.after !== null,
          startCursor: customers[0]?.id ?? null,
          endCursor: customers.at(-1)?.id ?? null,
        },
      };
    },
  }),
);

const SaveCustomerInput = builder.inputType('SaveCustomerInput', {
  fields: (t) => ({
    companyId: t.id({ required: true }),
    environment: t.field({ type: EnvironmentEnum, required: true }),
    integrationId: t.id({ required: true }),
    externalCustomerId: t.string({ required: true }),
    name: t.string({ description: 'Stays as it is known when left out; so does the email.' }),
    email: t.string(),
    reason: t.string({ required: true }),
  }),
});

builder.mutationField('saveCustomer', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: CustomerType,
    description: 'Writes down a customer, or what is new of one. Kept with who did it and why.',
    args: { input: t.arg({ type: SaveCustomerInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { keyId } = context.caller;
      const { companyId, environment, reason, ...customer } = input;
      const request = orRefuse(parseRequest(customerRequest, customer));
      const environmentId = await namedEnvironment(context, { companyId, environment });
      const by = { actor: keyId, reason };
      return orRefuse(await saveCustomer(context.services.db, by, environmentId, request));
    },
  }),
);
