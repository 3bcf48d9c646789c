import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { askedOf, companyScopeOf } from '../company.ts';
import { facts, table } from '../components.ts';
import { dayOf, moment } from '../format.ts';
import type { Action, ActionField, ActionResult, OperatorContext } from '../page.ts';
import { stored } from '../query.ts';
import { say, sayWith, wordOf } from '../words.ts';

/** A company leaves, or a person asks to be forgotten. */

const CLOSE = stored(
  'mutation ConsoleCloseCompany($id: ID!, $reason: String!) { closeCompany(companyId: $id, reason: $reason) { id } }',
);

export const closeCompany: Action = {
  prepare: askedOf({
    title: 'Close the company',
    lead: 'Nothing is issued any more, keys are revoked, links to customers’ pages and webhook endpoints are deleted, schedules and reminders end. What was issued is still registered and can be read, voided and amended. It cannot be opened again.',
    submit: 'Close it for good',
    irreversible: true,
  }),
  async perform(context, entries) {
    const done = await CLOSE(context, { id: context.param('companyId'), reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'Closed.' };
  },
};

const EXPORT = stored(
  `mutation ConsoleExportCompany($id: ID!, $reason: String!) {
    exportCompany(companyId: $id, reason: $reason) { downloadUrl expiresAt }
  }`,
);

export const exportCompany: Action = {
  prepare: askedOf({
    title: 'Archive of the company',
    lead: 'One ZIP file with everything: invoices, sealed records, documents, journal, customers, payments, events and settings, with a README and checksums. Keys and secrets are not in it.',
    submit: 'Make a link',
  }),
  async perform(context, entries) {
    const companyScope = await companyScopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    const done = await EXPORT(context, { id: companyScope.companyId, reason: entries('reason') });
    if (isRefusal(done)) return done;
    const { downloadUrl, expiresAt } = done.exportCompany;
    const body = html`<h1>${say('Archive of the company')}</h1>
<div class="card"><p>${sayWith('Anyone with the link can download the file until {when}, repeatedly if necessary.', { when: moment(expiresAt) })} ${say('It is made while it is downloaded.')}</p>
<p class="actions"><a class="button primary" href="${downloadUrl}" download>${say('Download the ZIP file')}</a> <a href="${context.root}/companies/${companyScope.companyId}">${say('Back to the company')}</a></p></div>`;
    return { page: { title: 'Archive of the company', companyScope, body } };
  },
};

const ERASED = 'customers drafts schedules invoicesKept keptUntil kept { what howLong law }';

type Erased = {
  readonly customers: number;
  readonly drafts: number;
  readonly schedules: number;
  readonly invoicesKept: number;
  readonly keptUntil: string | null;
  readonly kept: readonly { readonly what: string; readonly howLong: string; readonly law: string }[];
};

/** What was erased, and what stays by which law: whoever answers the person says so. */
async function erasedPage(context: OperatorContext, erased: Erased): Promise<Outcome<ActionResult>> {
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const body = html`<h1>${say('Erased')}</h1>
<div class="card">${facts([
    ['Customers', String(erased.customers)],
    ['Drafts', String(erased.drafts)],
    ['Schedules', String(erased.schedules)],
    ['Invoices that stay', String(erased.invoicesKept)],
    ['The last until', erased.keptUntil !== null && dayOf(erased.keptUntil)],
  ])}</div>
${table(
  'What stays',
  [
    { head: 'What stays', cell: ({ what }) => bdi(wordOf(what)) },
    { head: 'How long', cell: ({ howLong }) => bdi(wordOf(howLong)) },
    { head: 'By which law', cell: ({ law }) => bdi(wordOf(law)) },
  ],
  erased.kept,
  'Nothing.',
)}
<p class="actions"><a href="${context.root}/companies/${companyScope.companyId}">${say('Back to the company')}</a></p>`;
  return { page: { title: 'Erased', companyScope, body } };
}

const ENVIRONMENT: ActionField = {
  ...({ name: 'environment', label: 'Environment', width: 'half' } as const),
  choices: [
    ['live', 'Live'],
    ['test', 'Test'],
  ],
};

const environmentOf = (chosen: string) => (chosen === 'test' ? 'test' : 'live');

const ERASE_DRAFTS = stored(
  `mutation ConsoleEraseDrafts($id: ID!, $environment: Environment!, $reason: String!) {
    eraseDrafts(companyId: $id, environment: $environment, reason: $reason) { ${ERASED} }
  }`,
);

export const eraseDrafts: Action = {
  prepare: askedOf({
    title: 'Erase the drafts',
    lead: 'Drafts that were not issued are deleted; issued ones and ended schedules lose what they say of people. Invoices stay.',
    fields: [ENVIRONMENT],
    submit: 'Erase them',
    irreversible: true,
  }),
  async perform(context, entries) {
    const done = await ERASE_DRAFTS(context, {
      ...{ id: context.param('companyId'), reason: entries('reason') },
      environment: environmentOf(entries('environment')),
    });
    return isRefusal(done) ? done : erasedPage(context, done.eraseDrafts);
  },
};

const ERASE_CUSTOMER = stored(
  `mutation ConsoleEraseCustomer($id: ID!, $environment: Environment!, $customer: String!, $integration: ID, $reason: String!) {
    eraseCustomer(companyId: $id, environment: $environment, externalCustomerId: $customer, integrationId: $integration,
      reason: $reason) { ${ERASED} }
  }`,
);

export const eraseCustomer: Action = {
  prepare: askedOf({
    title: 'Erase a customer',
    lead: 'What is kept of the customer is deleted, with the links to their page and their drafts; issued drafts and ended schedules lose what they say of them. Invoices stay. Schedules that name them must have ended.',
    fields: [
      ENVIRONMENT,
      { name: 'externalCustomerId', label: 'Customer', max: 255, hint: 'The id in the shop.' },
      {
        ...({ name: 'integrationId', label: 'Integration', max: 60, optional: true } as const),
        hint: 'Only if there are several.',
      },
    ],
    submit: 'Erase the customer',
    irreversible: true,
  }),
  async perform(context, entries) {
    const done = await ERASE_CUSTOMER(context, {
      ...{ id: context.param('companyId'), reason: entries('reason') },
      environment: environmentOf(entries('environment')),
      ...{ customer: entries('externalCustomerId'), integration: entries('integrationId') || null },
    });
    return isRefusal(done) ? done : erasedPage(context, done.eraseCustomer);
  },
};
