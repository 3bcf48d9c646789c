import { isRefusal } from '../../../ground/errors/refusal.ts';
import { companyScopeOf, environmentNamed } from '../company.ts';
import type { Action } from '../page.ts';
import { stored } from '../query.ts';
import { SERIES } from '../series.ts';
import { given } from '../words.ts';

const CREATE = stored(
  'mutation ConsoleCreateIntegration($input: CreateIntegrationInput!) { createIntegration(input: $input) { id } }',
);

export const newIntegration: Action = {
  async prepare(context) {
    const companyScope = await companyScopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    const environment = environmentNamed(context);
    const { companyId } = companyScope;
    const found = await SERIES(context, { companyId, environment });
    if (isRefusal(found)) return found;
    const series = found.numberSeries.edges.map(({ node }) => node);
    const choices = (type: 'standard' | 'rectifying') => [
      ['', 'The default'] as const,
      ...series.filter((one) => one.type === type).map(({ id, prefix }) => [id, given(prefix)] as const),
    ];
    return {
      title: 'New integration',
      companyScope: { ...companyScope, environment },
      lead: 'A shop or billing system of the merchant, with its own customers and orders. A series that it uses can no longer be deleted.',
      fields: [
        { name: 'name', label: 'Name', hint: 'Unique in the environment.', max: 100 },
        {
          ...({
            name: 'standardSeriesId',
            label: 'Series of its invoices',
            optional: true,
            width: 'half',
          } as const),
          choices: choices('standard'),
        },
        {
          ...({ name: 'rectifyingSeriesId', label: 'Series of its rectificativas', optional: true } as const),
          ...{ choices: choices('rectifying'), width: 'half' },
        },
      ],
      submit: 'Make the integration',
      back: `/companies/${companyId}/integrations?environment=${environment}`,
    };
  },
  async perform(context, entries) {
    const input = {
      ...{ companyId: context.param('companyId'), environment: environmentNamed(context) },
      ...{ name: entries('name'), reason: entries('reason') },
      standardSeriesId: entries('standardSeriesId') || null,
      rectifyingSeriesId: entries('rectifyingSeriesId') || null,
    };
    const done = await CREATE(context, { input });
    return isRefusal(done) ? done : { flash: 'The integration was created.' };
  },
};
