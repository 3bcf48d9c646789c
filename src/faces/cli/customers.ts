import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { customerRequest } from '../../subjects/customers/customer-request.ts';
import { findCustomer, saveCustomer } from '../../subjects/customers/customers.ts';
import { createIntegration, integrationRequest } from '../../subjects/customers/integrations.ts';
import { listCustomers } from '../../subjects/customers/store/read-customers.ts';
import { allIntegrations } from '../../subjects/customers/store/read-integrations.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { erasedCustomer } from './leaving.ts';
import { integerOption, operand, optionalOption, requiredOption } from './options.ts';
import { ENVIRONMENT, environmentChange, resolveEnvironment } from './targets.ts';

/** Without the environment, which was named. */
function shown<Row extends { readonly environmentId: number }>(
  found: Outcome<Row>,
): Outcome<Omit<Row, 'environmentId'>> {
  if (isRefusal(found)) return found;
  const { environmentId: _, ...row } = found;
  return row;
}

export function integrations(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'integrations', 'shops and billing systems of merchants');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists the integrations of an environment, oldest first',
    parameters: ENVIRONMENT,
    examples: [['By the number of the environment', 'integrations list --environment $ENVIRONMENT']],
    async run(context, values) {
      const environmentId = await resolveEnvironment(context, values);
      return isRefusal(environmentId) ? environmentId : allIntegrations(context.db, environmentId);
    },
  });
  changeCommand(group, runtime, {
    name: 'create',
    description: 'creates an integration',
    details: 'Creates an integration. Series that it uses can no longer be deleted.',
    parameters: {
      ...ENVIRONMENT,
      name: requiredOption('text', 'unique in the environment'),
      standardSeries: optionalOption('ns_…', 'the series of its invoices; by default the default series'),
      rectifyingSeries: optionalOption(
        'ns_…',
        'the series of its rectificativas; by default the default series',
      ),
    },
    examples: [
      [
        'A shop on the default series',
        'integrations create --company $COMPANY --environment test --name "web shop" --reason "onboarding"',
      ],
    ],
    preview: (context, values) => environmentChange(context, values, `create the integration ${values.name}`),
    async run(context, values, by) {
      const { name, standardSeries, rectifyingSeries } = values;
      const fields = { name, standardSeriesId: standardSeries, rectifyingSeriesId: rectifyingSeries };
      const request = parseRequest(integrationRequest, fields);
      if (isRefusal(request)) return request;
      const environmentId = await resolveEnvironment(context, values);
      return isRefusal(environmentId)
        ? environmentId
        : shown(await createIntegration(context.db, environmentId, request, by));
    },
  });
}

export function customers(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'customers', 'customers of integrations');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists the customers of an environment by their external ids',
    parameters: {
      ...ENVIRONMENT,
      integration: optionalOption('int_…', 'only those of this integration'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 100 }),
      after: optionalOption('cus_…', 'continue after this one'),
    },
    examples: [['A page of customers', 'customers list --environment $ENVIRONMENT --limit 20']],
    async run(context, values) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const { integration: integrationId, limit: size, after = null } = values;
      const page = await listCustomers(context.db, environmentId, { integrationId, size, after });
      return isRefusal(page) ? page : { customers: page.rows, hasMore: page.hasMore };
    },
  });
  queryCommand(group, runtime, {
    name: 'show',
    description: 'shows a customer by the integration’s own id',
    parameters: {
      externalId: operand('the id of the customer at the integration'),
      ...ENVIRONMENT,
      integration: optionalOption('int_…', 'required if the environment has several'),
    },
    examples: [['One customer', 'customers show c-1001 --environment $ENVIRONMENT']],
    async run(context, values) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const { externalId: externalCustomerId, integration: integrationId } = values;
      return shown(await findCustomer(context.db, environmentId, { externalCustomerId, integrationId }));
    },
  });
  changeCommand(group, runtime, {
    name: 'save',
    description: 'creates or updates a customer',
    details:
      'Creates or updates a customer of an integration. Omitted options remain unchanged. Orders do the same automatically.',
    parameters: {
      externalId: operand('the id of the customer at the integration'),
      ...ENVIRONMENT,
      integration: requiredOption('int_…', 'the integration of the customer'),
      name: optionalOption('text', 'the customer’s name'),
      email: optionalOption('address', 'the customer’s email address'),
    },
    examples: [
      [
        'A customer who may open the portal before the first order',
        'customers save c-1002 --environment $ENVIRONMENT --integration $INTEGRATION --name "García López Ana" --reason "portal invitation"',
      ],
    ],
    preview: (context, values) =>
      environmentChange(context, values, `save the customer ${values.externalId}`),
    async run(context, values, by) {
      const { externalId: externalCustomerId, integration: integrationId, name, email } = values;
      const request = parseRequest(customerRequest, { externalCustomerId, integrationId, name, email });
      if (isRefusal(request)) return request;
      const environmentId = await resolveEnvironment(context, values);
      return isRefusal(environmentId)
        ? environmentId
        : shown(await saveCustomer(context.db, by, environmentId, request));
    },
  });
  erasedCustomer(group, runtime);
}
