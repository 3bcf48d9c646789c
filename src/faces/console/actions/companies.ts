import { isRefusal } from '../../../ground/errors/refusal.ts';
import { askedOf, companyMissing } from '../company.ts';
import type { Action, ActionField } from '../page.ts';
import { stored } from '../query.ts';
import { said } from '../words.ts';

const FLAGS = stored(
  'query ConsoleFlags($id: ID!) { company(id: $id) { id legalName nif mandateApproved onboardingFinished account { subscriptionActive } } }',
);

const SET = stored(
  `mutation ConsoleSetFlags($id: ID!, $flags: CompanyFlagsInput!, $reason: String!) {
    setCompanyFlags(companyId: $id, flags: $flags, reason: $reason) { id }
  }`,
);

/** What must be up before a company may issue live. */
export const setFlags: Action = {
  async prepare(context) {
    const found = await FLAGS(context, { id: context.param('companyId') });
    if (isRefusal(found)) return found;
    if (found.company === null) return companyMissing();
    const { id, legalName, nif, account, mandateApproved, onboardingFinished } = found.company;
    const tick = (isUp: boolean) => ({ kind: 'tick' as const, value: isUp ? 'yes' : '' });
    return {
      title: 'Conditions for issuing live',
      companyScope: { companyId: id, legalName, nif },
      lead: 'All three are required for issuing live. Changes take effect with the next request.',
      fields: [
        {
          ...({ name: 'subscriptionActive', label: 'Subscription active' } as const),
          ...tick(account.subscriptionActive),
          hint: 'The subscription of the account, and therefore of all its companies.',
        },
        { name: 'mandateApproved', label: 'Mandate approved', ...tick(mandateApproved) },
        { name: 'onboardingFinished', label: 'Onboarding finished', ...tick(onboardingFinished) },
      ],
      submit: 'Save it',
      back: `/companies/${id}`,
    };
  },
  async perform(context, entries) {
    const isUp = (name: string) => entries(name) === 'yes';
    const flags = {
      subscriptionActive: isUp('subscriptionActive'),
      mandateApproved: isUp('mandateApproved'),
      onboardingFinished: isUp('onboardingFinished'),
    };
    const done = await SET(context, { id: context.param('companyId'), flags, reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'Saved.' };
  },
};

/** The default series, if any prefix is named; an empty one beside it is refused as such. */
const seriesOf = (standard: string, rectifying: string) =>
  standard === '' && rectifying === '' ? null : { standard, rectifying };

const CREATE = stored(
  'mutation ConsoleCreateCompany($input: CreateCompanyInput!) { createCompany(input: $input) { id legalName } }',
);

const WITHOUT_CENSUS: ActionField = {
  ...({ name: 'withoutCensus', label: 'Do not ask the census', kind: 'tick', value: '' } as const),
  hint: 'Otherwise it is asked whether the NIF has this name. The audit log says so.',
};

const NAME_IN_PARTS: readonly ActionField[] = [
  {
    ...({
      name: 'givenName',
      label: 'Given name',
      max: 100,
      optional: true,
      width: 'half' as const,
    } as const),
    hint: 'Only of a natural person, for documents that divide the name.',
  },
  { name: 'surnames', label: 'Surnames', max: 100, optional: true, width: 'half' as const },
];

const nameInParts = (entries: (name: string) => string) => ({
  givenName: entries('givenName') || null,
  surnames: entries('surnames') || null,
});

const DATA = stored('query ConsoleCompanyData($id: ID!) { company(id: $id) { id legalName nif timeZone } }');

const UPDATE = stored(
  `mutation ConsoleUpdateCompany($id: ID!, $legalName: String, $givenName: String, $surnames: String, $address: CompanyAddressInput, $timeZone: String,
      $withoutCensus: Boolean, $reason: String!) {
    updateCompany(companyId: $id, legalName: $legalName, givenName: $givenName, surnames: $surnames, address: $address, timeZone: $timeZone,
      withoutCensus: $withoutCensus, reason: $reason) { id }
  }`,
);

/** The data with which a company issues from then on. */
export const updateCompany: Action = {
  async prepare(context) {
    const found = await DATA(context, { id: context.param('companyId') });
    if (isRefusal(found)) return found;
    if (found.company === null) return companyMissing();
    const { id, legalName, nif, timeZone } = found.company;
    return {
      title: 'Name, address and time zone',
      companyScope: { companyId: id, legalName, nif },
      lead: 'What is left empty stays. Invoices and records carry the new data from now on; what was issued keeps its own.',
      fields: [
        {
          name: 'legalName',
          label: 'Legal name',
          max: 120,
          optional: true,
          hint: said('Now {name}.', { name: legalName }),
        },
        ...NAME_IN_PARTS,
        {
          name: 'line1',
          label: 'Street and number',
          max: 200,
          optional: true,
          hint: 'An address is replaced as a whole.',
        },
        { name: 'line2', label: 'Floor, door', max: 200, optional: true },
        { name: 'postalCode', label: 'Postal code', max: 16, width: 'short', optional: true },
        { name: 'city', label: 'Town', max: 100, width: 'long', optional: true },
        {
          ...({ name: 'timeZone', label: 'Time zone', max: 20, optional: true, width: 'half' } as const),
          hint: said(
            'Europe/Madrid or Atlantic/Canary; now {zone}. It can change from the day after that of the last invoice on.',
            { zone: timeZone },
          ),
        },
        WITHOUT_CENSUS,
      ],
      submit: 'Save it',
      back: `/companies/${id}`,
    };
  },
  async perform(context, entries) {
    const parts = ['line1', 'line2', 'postalCode', 'city'].map(entries);
    const [line1 = '', line2 = '', postalCode = '', city = ''] = parts;
    const done = await UPDATE(context, {
      ...{ id: context.param('companyId'), reason: entries('reason') },
      legalName: entries('legalName') || null,
      ...nameInParts(entries),
      address: parts.join('') === '' ? null : { line1, line2: line2 || null, postalCode, city },
      timeZone: entries('timeZone') || null,
      withoutCensus: entries('withoutCensus') === 'yes',
    });
    return isRefusal(done) ? done : { flash: 'Saved.' };
  },
};

export const newCompany: Action = {
  prepare: async () => ({
    title: 'New company',
    lead: 'It is created with both environments, their default series and chains, and a tax catalog. Before it may issue live, its mandate, onboarding and subscription must be set on its page.',
    fields: [
      { name: 'legalName', label: 'Legal name', max: 120, hint: 'Exactly as the census has it.' },
      ...NAME_IN_PARTS,
      { name: 'nif', label: 'NIF', max: 20, width: 'half' },
      {
        ...({
          name: 'accountId',
          label: 'Account that pays',
          max: 60,
          optional: true,
          width: 'half',
        } as const),
        hint: 'If empty, a new account.',
      },
      {
        ...({ name: 'succeeds', label: 'Company that it replaces', max: 60, optional: true } as const),
        hint: 'Only if another company here has the same NIF: the id of that company (co_…), which issues nothing from then on.',
      },
      {
        ...({
          name: 'standardPrefix',
          label: 'Prefix of invoices',
          max: 20,
          optional: true,
          width: 'half',
        } as const),
        hint: 'If empty, F; a company that replaces another has no series then.',
      },
      {
        ...({
          name: 'rectifyingPrefix',
          label: 'Prefix of rectificativas',
          max: 20,
          optional: true,
        } as const),
        ...({ width: 'half', hint: 'If empty, R; give both prefixes or neither.' } as const),
      },
      { name: 'line1', label: 'Street and number', max: 200 },
      { name: 'line2', label: 'Floor, door', max: 200, optional: true },
      { name: 'postalCode', label: 'Postal code', max: 16, width: 'short' },
      { name: 'city', label: 'Town', max: 100, width: 'long' },
      { name: 'country', label: 'Country', max: 2, value: 'ES', hint: 'Two letters.', width: 'short' },
      {
        ...({ name: 'timeZone', label: 'Time zone', max: 20, optional: true, width: 'half' } as const),
        hint: 'Europe/Madrid or Atlantic/Canary; if empty, by the postal code.',
      },
      WITHOUT_CENSUS,
    ],
    submit: 'Make the company',
    back: '/companies',
  }),
  async perform(context, entries) {
    const input = {
      ...{ nif: entries('nif'), legalName: entries('legalName'), reason: entries('reason') },
      ...nameInParts(entries),
      accountId: entries('accountId') || null,
      succeeds: entries('succeeds') || null,
      series: seriesOf(entries('standardPrefix'), entries('rectifyingPrefix')),
      address: {
        ...{ line1: entries('line1'), line2: entries('line2') || null, postalCode: entries('postalCode') },
        ...{ city: entries('city'), country: entries('country').toUpperCase() },
      },
      timeZone: entries('timeZone') || null,
      withoutCensus: entries('withoutCensus') === 'yes',
    };
    const done = await CREATE(context, { input });
    if (isRefusal(done)) return done;
    const { id, legalName } = done.createCompany;
    return { flash: said('{name} was created.', { name: legalName }), to: `/companies/${id}` };
  },
};

const END = stored(
  `mutation ConsoleEndVerifactu($id: ID!, $lastDay: Date!, $reason: String!) {
    endVerifactu(companyId: $id, lastDay: $lastDay, reason: $reason) { id }
  }`,
);

/** Gives up VERI*FACTU with the end of the year. */
export const endVerifactu: Action = {
  prepare: askedOf({
    title: 'End of VERI*FACTU',
    lead: 'Until the end of the year every message to the agency says so, and one must go out before. Afterwards nothing is issued live; what is due is still sent.',
    fields: [{ name: 'lastDay', label: 'Last day', max: 10, hint: '31 December of this year, YYYY-MM-DD.' }],
    submit: 'End it',
  }),
  async perform(context, entries) {
    const variables = { lastDay: entries('lastDay'), reason: entries('reason') };
    const done = await END(context, { id: context.param('companyId'), ...variables });
    return isRefusal(done) ? done : { flash: 'Saved.' };
  },
};
