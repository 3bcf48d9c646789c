import { z } from 'zod';
import { EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import { given } from '../../../ground/db/filter.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { id, optional } from '../../../ground/lib/request-fields.ts';
import { line } from '../../../ground/lib/text.ts';
import { customerFilter, customerRequest } from '../../../subjects/customers/customer-request.ts';
import { findCustomer, removeCustomer, saveCustomer } from '../../../subjects/customers/customers.ts';
import { searchCustomers } from '../../../subjects/customers/store/read-customers.ts';
import { TAX_ID_TYPES } from '../../../subjects/tax-ids/types.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { pageCost } from '../paging.ts';
import { prismaListOf, rowsOfPage } from '../prisma-list.ts';
import { searchedList } from '../run-search.ts';
import { Address } from './address.ts';
import { TaxIdTypeEnum } from './enums.ts';
import { Node } from './node-interface.ts';
import { actingCaller, operatorActionArguments } from './operator-actions.ts';

const taxIdType = z.enum(TAX_ID_TYPES).nullable();

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
    companyName: t.exposeString('companyName', { nullable: true }),
    taxId: t.exposeString('taxId', { nullable: true }),
    taxIdType: t.field({
      type: TaxIdTypeEnum,
      nullable: true,
      resolve: (customer) => taxIdType.parse(customer.taxIdType),
    }),
    taxIdCountry: t.exposeString('taxIdCountry', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    address: t.field({
      type: Address,
      nullable: true,
      description: 'The address; null if none is kept.',
      resolve: ({ line1, line2, postalCode, city, country }) => {
        const address = { line1, line2, postalCode, city, country };
        return Object.values(address).every((value) => value === null) ? null : address;
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

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
      const reference = { externalCustomerId, integrationId };
      return valueOrThrow(await findCustomer(context.services.db, environmentId, reference));
    },
  }),
);

const BY_EXTERNAL_ID = [
  ['externalCustomerId', 'asc'],
  ['id', 'asc'],
] as const;

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
        text: t.arg.string({
          description:
            'Only customers of whose names, e-mail address, tax id or external id each word of the text begins a word; ignores case and accents.',
        }),
        ...environmentArguments,
      },
      complexity: (args) => pageCost(args),
      extensions: { work: ({ text }: { text?: string | null }) => (text == null ? null : 'search') },
      resolve: async (_root, { integrationId, externalCustomerId, text: sent, ...others }, context, info) => {
        const { companyId, environment, ...paging } = others;
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const asked = { integrationId, externalCustomerId, text: sent };
        const { text, ...filter } = valueOrThrow(parseRequest(customerFilter, asked));
        const model = 'Customer';
        const where = { environmentId, ...given(filter) };
        if (text == null) return prismaListOf(context, info, paging, { model, where, order: BY_EXTERNAL_ID });
        const { pool } = context.services.db;
        const found = searchedList(context, searchCustomers(pool, environmentId, { text, ...filter }));
        const options = { idOf: ({ id }: { id: string }) => id, filter: { text, ...filter } };
        const { edges, ...page } = await connectionOf(context, paging, found, options);
        const ids = edges.map(({ node }) => node.id);
        const rows = await rowsOfPage(context, info, { model, where: { environmentId, id: { in: ids } } });
        const byId = new Map(rows.map((row) => [row.id, row]));
        // One that was deleted meanwhile is left out.
        const known = edges.flatMap(({ cursor, node: { id } }) => {
          const node = byId.get(id);
          return node === undefined ? [] : [{ cursor, node }];
        });
        return { ...page, edges: known };
      },
    },
    ...namesOf('Customer'),
  ),
);

const SaveCustomerInput = inputType(
  z
    .strictObject({
      companyId: optional(id).describe('The company; required with an operator’s key.'),
      environment: optional(z.enum(EnvironmentKind)).describe(
        'The environment; required with an operator’s key.',
      ),
      ...customerRequest.shape,
      reason: optional(line(500)).describe(
        'The reason; kept in the audit log. Required with an operator’s key.',
      ),
    })
    .describe(
      'A customer of an integration; of a field that is left out nothing is said, and null removes it.',
    ),
  'SaveCustomerInput',
);

builder.mutationField('saveCustomer', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: CustomerType,
    description:
      'Creates or changes a customer. An environment without integrations gets one, `default`. The actor and the reason are kept in the audit log.',
    args: { input: t.arg({ type: SaveCustomerInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { companyId, environment, reason, ...customer } = input;
      const request = valueOrThrow(parseRequest(customerRequest, customer));
      const environmentId = await environmentFromArguments(context, { companyId, environment });
      const by = actingCaller(context, reason);
      return valueOrThrow(await saveCustomer(context.services.db, by, environmentId, request));
    },
  }),
);

builder.mutationField('deleteCustomer', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: CustomerType,
    description:
      'Deletes what is kept of a customer, with the links to their page, and returns it. Their invoices stay and go on naming the id.',
    args: {
      externalCustomerId: t.arg.string({ required: true }),
      integrationId: t.arg.id(),
      ...operatorActionArguments,
    },
    resolve: async (_root, { externalCustomerId, integrationId, reason, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const by = actingCaller(context, reason);
      const reference = { externalCustomerId, integrationId };
      return valueOrThrow(await removeCustomer(context.services.db, by, environmentId, reference));
    },
  }),
);
