import { isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { chosen } from '../choices.ts';
import { companyScopeOf, environmentNamed } from '../company.ts';
import type { Action, CompanyScope, OperatorContext } from '../page.ts';
import { stored } from '../query.ts';
import { SERIES, type Series } from '../series.ts';
import { type Said, said, type Text } from '../words.ts';

const OPEN = stored(
  `mutation ConsoleOpenSeries($input: CreateNumberSeriesInput!, $companyId: ID!, $environment: Environment!, $reason: String!) {
    createNumberSeries(input: $input, companyId: $companyId, environment: $environment, reason: $reason) { id }
  }`,
);

const KINDS = [
  ['standard', 'Invoices'],
  ['rectifying', 'Rectificativas'],
] as const;

const backOf = ({ companyId, environment }: CompanyScope): string =>
  `/companies/${companyId}/series?environment=${environment}`;

async function placeOf(
  context: OperatorContext,
): Promise<Outcome<CompanyScope & { readonly environment: 'test' | 'live' }>> {
  const companyScope = await companyScopeOf(context);
  return isRefusal(companyScope) ? companyScope : { ...companyScope, environment: environmentNamed(context) };
}

export const openSeries: Action = {
  async prepare(context) {
    const companyScope = await placeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    return {
      title: 'New number series',
      companyScope: companyScope,
      lead: 'A series cannot be changed, and can be deleted only while it is unused.',
      fields: [
        {
          ...({ name: 'prefix', label: 'Prefix', max: 20, width: 'half' } as const),
          hint: 'Capitals, digits, / _ . and -; F gives F-2026-1.',
        },
        {
          ...({ name: 'type', label: 'For', width: 'half' } as const),
          choices: KINDS,
        },
        { name: 'yearly', label: 'Restarts at 1 each year', kind: 'tick', value: 'yes' },
      ],
      submit: 'Make the series',
      back: backOf(companyScope),
    };
  },
  async perform(context, entries) {
    const input = {
      ...{ prefix: entries('prefix'), type: chosen(KINDS, entries('type')) ?? 'standard' },
      yearly: entries('yearly') === 'yes',
    };
    const done = await OPEN(context, {
      ...{ input, companyId: context.param('companyId'), environment: environmentNamed(context) },
      reason: entries('reason'),
    });
    return isRefusal(done) ? done : { flash: 'The series was created.' };
  },
};

type SeriesAction = {
  readonly mutation: 'setDefaultNumberSeries' | 'deleteNumberSeries';
  readonly title: (series: Series) => Said;
  readonly lead: Text;
  readonly submit: Text;
  readonly flash: Text;
  readonly irreversible?: boolean;
};

function onSeries({ mutation, title, lead, submit, flash, irreversible = false }: SeriesAction): Action {
  const mutate = stored(
    `mutation Console_${mutation}($companyId: ID!, $environment: Environment!, $id: ID!, $reason: String!) {
      ${mutation}(companyId: $companyId, environment: $environment, id: $id, reason: $reason) { id }
    }`,
  );
  return {
    async prepare(context) {
      const companyScope = await placeOf(context);
      if (isRefusal(companyScope)) return companyScope;
      const { companyId, environment } = companyScope;
      const found = await SERIES(context, { companyId, environment });
      if (isRefusal(found)) return found;
      const series = found.numberSeries.edges.find(({ node }) => node.id === context.param('id'))?.node;
      if (series === undefined) return new Refusal('not_found', 'There is no series of this id.');
      return {
        title: title(series),
        companyScope: companyScope,
        lead,
        submit,
        irreversible,
        back: backOf(companyScope),
      };
    },
    async perform(context, entries) {
      const variables = {
        ...{ companyId: context.param('companyId'), environment: environmentNamed(context) },
        ...{ id: context.param('id'), reason: entries('reason') },
      };
      const done = await mutate(context, variables);
      return isRefusal(done) ? done : { flash };
    },
  };
}

export const setDefaultSeries = onSeries({
  mutation: 'setDefaultNumberSeries',
  title: ({ prefix }) => said('Make {prefix} the default', { prefix }),
  lead: 'From now on it is used by invoices of its type that name no series.',
  submit: 'Make it the default',
  flash: 'It is the default now.',
});

export const deleteSeries = onSeries({
  mutation: 'deleteNumberSeries',
  title: ({ prefix }) => said('Delete {prefix}', { prefix }),
  lead: 'Only a series that was never used, and that no integration uses, can be deleted.',
  submit: 'Delete it',
  irreversible: true,
  flash: 'The series is deleted.',
});
