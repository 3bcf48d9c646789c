import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import {
  customerRequest,
  findCustomer,
  listCustomers,
  saveCustomer,
} from '../../subjects/customers/customers.ts';
import {
  createIntegration,
  integrationRequest,
  listIntegrations,
} from '../../subjects/customers/integrations.ts';
import { changes, reads, subject, type World } from './command.ts';
import { count, may, need, operand } from './options.ts';
import { ENVIRONMENT, environmentMeant, inEnvironment } from './targets.ts';

export function integrations(program: Command, world: World): void {
  const group = subject(program, 'integrations', 'shops and billing systems of merchants');
  reads(group, world, {
    name: 'list',
    says: 'lists the integrations of an environment, the oldest first',
    takes: ENVIRONMENT,
    examples: [['By the number of the environment', 'integrations list --environment $ENVIRONMENT']],
    async run(desk, given) {
      const environmentId = await environmentMeant(desk, given);
      return isRefusal(environmentId) ? environmentId : listIntegrations(desk.db, environmentId);
    },
  });
  changes(group, world, {
    name: 'create',
    says: 'creates an integration',
    details: 'Creates an integration. Series that it uses cannot be deleted any more.',
    takes: {
      ...ENVIRONMENT,
      name: need('text', 'unique in the environment'),
      standardSeries: may('ns_…', 'its invoices go on this series, else on the default one'),
      rectifyingSeries: may('ns_…', 'its rectificativas go on this series, else on the default one'),
    },
    examples: [
      [
        'A shop on the default series',
        'integrations create --company $COMPANY --environment test --name "web shop" --reason "onboarding"',
      ],
    ],
    would: (desk, given) => inEnvironment(desk, given, `create the integration ${given.name}`),
    async run(desk, given, by) {
      const { name, standardSeries, rectifyingSeries } = given;
      const wanted = { name, standardSeriesId: standardSeries, rectifyingSeriesId: rectifyingSeries };
      const request = parseRequest(integrationRequest, wanted);
      if (isRefusal(request)) return request;
      const environmentId = await environmentMeant(desk, given);
      return isRefusal(environmentId)
        ? environmentId
        : createIntegration(desk.db, environmentId, request, by);
    },
  });
}

export function customers(program: Command, world: World): void {
  const group = subject(program, 'customers', 'whom integrations sell to');
  reads(group, world, {
    name: 'list',
    says: 'lists the customers of an environment by their external ids',
    takes: {
      ...ENVIRONMENT,
      integration: may('int_…', 'only those of this integration'),
      limit: count('how many at most', { most: 1_000, standard: 100 }),
      after: may('cus_…', 'go on after this one'),
    },
    examples: [['A page of them', 'customers list --environment $ENVIRONMENT --limit 20']],
    async run(desk, given) {
      const environmentId = await environmentMeant(desk, given);
      if (isRefusal(environmentId)) return environmentId;
      const { integration: integrationId, limit: first, after = null } = given;
      return listCustomers(desk.db, environmentId, { integrationId }, { first, after });
    },
  });
  reads(group, world, {
    name: 'show',
    says: 'shows a customer by the integration’s own id',
    takes: {
      externalId: operand('the id of the customer at the integration'),
      ...ENVIRONMENT,
      integration: may('int_…', 'needed where the environment has several'),
    },
    examples: [['One customer', 'customers show c-1001 --environment $ENVIRONMENT']],
    async run(desk, given) {
      const environmentId = await environmentMeant(desk, given);
      if (isRefusal(environmentId)) return environmentId;
      const { externalId: externalCustomerId, integration: integrationId } = given;
      return findCustomer(desk.db, environmentId, { externalCustomerId, integrationId });
    },
  });
  changes(group, world, {
    name: 'save',
    says: 'writes down a customer, or what is new of one',
    details:
      'Writes down a customer of an integration, or what is new of one. What is left out stays as it is known. Orders do the same by themselves.',
    takes: {
      externalId: operand('the id of the customer at the integration'),
      ...ENVIRONMENT,
      integration: need('int_…', 'whose customer it is'),
      name: may('text', 'the customer’s name'),
      email: may('address', 'the customer’s email address'),
    },
    examples: [
      [
        'A customer who may open the portal before the first order',
        'customers save c-1002 --environment $ENVIRONMENT --integration $INTEGRATION --name "Ana García" --reason "portal invitation"',
      ],
    ],
    would: (desk, given) => inEnvironment(desk, given, `write down the customer ${given.externalId}`),
    async run(desk, given, by) {
      const { externalId: externalCustomerId, integration: integrationId, name, email } = given;
      const request = parseRequest(customerRequest, { externalCustomerId, integrationId, name, email });
      if (isRefusal(request)) return request;
      const environmentId = await environmentMeant(desk, given);
      return isRefusal(environmentId) ? environmentId : saveCustomer(desk.db, by, environmentId, request);
    },
  });
}
