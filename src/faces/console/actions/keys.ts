import { invalidField, isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { isExistingDay, startOfMadridDay } from '../../../ground/lib/calendar.ts';
import { bdi, html } from '../../web/html.ts';
import { chosen } from '../choices.ts';
import { companyScopeOf } from '../company.ts';
import { facts } from '../components.ts';
import { dayOf } from '../format.ts';
import type { Action, ActionField, ActionResult, Entries } from '../page.ts';
import { stored } from '../query.ts';
import { say, sayWith, wordOf } from '../words.ts';

const NAME: ActionField = {
  name: 'name',
  label: 'Name',
  hint: 'Its owner or its purpose.',
  max: 100,
};

const EXPIRES: ActionField = {
  name: 'expiresAt',
  label: 'Expires on',
  hint: 'A day, such as 2027-01-31: the key is refused from the beginning of that day in Madrid. If empty, the key is valid until it is revoked.',
  max: 10,
  optional: true,
  width: 'short',
};

/** The first instant of the day that was filled in, or nothing; what is no day is refused by its field. */
function expiryOf(entries: Entries): Outcome<Date | null> {
  const day = entries('expiresAt');
  if (day === '') return null;
  return isExistingDay(day)
    ? startOfMadridDay(day)
    : invalidField('expiresAt', 'invalid_value', 'must be a day, such as 2027-01-31');
}

const SCOPES = [
  ['read', 'May read invoices, series and customers'],
  ['issue', 'May issue, validate and exchange invoices'],
  ['correct', 'May void and amend invoices'],
  ['manage', 'May manage number series, the look of documents, and allowed origins'],
] as const;

const ROLES = [
  ['viewer', 'Viewer: reads everything'],
  ['operator', 'Operator: acts on invoices, records, chains, jobs and series'],
  ['admin', 'Admin: also companies, keys, certificates, tax catalogs and installations'],
] as const;

const scopeFields: ActionField[] = SCOPES.map(([scope, label]) => ({
  ...{ name: `scope-${scope}`, label, kind: 'tick', value: 'yes', optional: true },
}));

type NewKey = { readonly id: string; readonly key: string };

const CREATE = stored(
  `mutation ConsoleCreateKey($companyId: ID!, $environment: Environment!, $name: String!,
      $scopes: [KeyScope!], $expiresAt: DateTime, $reason: String!) {
    createKey(companyId: $companyId, environment: $environment, name: $name, scopes: $scopes, expiresAt: $expiresAt,
      reason: $reason) { id key }
  }`,
);

const CREATE_OPERATOR = stored(
  `mutation ConsoleCreateOperatorKey($name: String!, $role: OperatorRole, $expiresAt: DateTime, $reason: String!) {
    createOperatorKey(name: $name, role: $role, expiresAt: $expiresAt, reason: $reason) { id key }
  }`,
);

/** The only page that shows a key: the answer to its creation. The key is not stored. */
function keyShown({ id, key }: NewKey, back: string): ActionResult {
  const body = html`<section class="card notice"><h1>${say('The key was created')}</h1>
<p>${say('Copy it now and hand it over by a safe way. It is shown here and never again.')}</p>
<p><code class="secret">${key}</code></p><p class="hint">${sayWith('Its id is {id}.', { id: html`<code>${id}</code>` })}</p>
<p class="actions"><a class="button primary" href="${back}">${say('I have copied it')}</a></p></section>`;
  return { page: { title: 'Key created', body } };
}

export const newOperatorKey: Action = {
  async prepare() {
    return {
      title: 'New operator key',
      lead: 'It has access to every company. It is shown once.',
      fields: [
        NAME,
        {
          name: 'role',
          label: 'Role',
          choices: ROLES,
        },
        EXPIRES,
      ],
      submit: 'Create the key',
      back: '/keys',
    };
  },
  async perform(context, entries) {
    const expiresAt = expiryOf(entries);
    if (isRefusal(expiresAt)) return expiresAt;
    const created = await CREATE_OPERATOR(context, {
      ...{
        name: entries('name'),
        role: chosen(ROLES, entries('role')),
        expiresAt: expiresAt?.toISOString() ?? null,
      },
      reason: entries('reason'),
    });
    return isRefusal(created) ? created : keyShown(created.createOperatorKey, `${context.root}/keys`);
  },
};

export const newCompanyKey: Action = {
  async prepare(context) {
    const companyScope = await companyScopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    return {
      title: 'New key',
      companyScope: companyScope,
      lead: 'Anyone who holds it can issue invoices in the company’s name in that environment. It is shown once.',
      fields: [
        NAME,
        {
          name: 'environment',
          label: 'Environment',
          choices: [
            ['test', 'Test'],
            ['live', 'Live'],
          ],
        },
        ...scopeFields,
        EXPIRES,
      ],
      submit: 'Create the key',
      back: `/companies/${companyScope.companyId}/keys`,
    };
  },
  async perform(context, entries) {
    const companyId = context.param('companyId');
    const environment = entries('environment') === 'live' ? ('live' as const) : ('test' as const);
    const expiresAt = expiryOf(entries);
    if (isRefusal(expiresAt)) return expiresAt;
    const scopes = SCOPES.flatMap(([scope]) => (entries(`scope-${scope}`) === '' ? [] : [scope]));
    const variables = {
      ...{ companyId, environment, scopes, expiresAt: expiresAt?.toISOString() ?? null },
      ...{ name: entries('name'), reason: entries('reason') },
    };
    const created = await CREATE(context, variables);
    return isRefusal(created)
      ? created
      : keyShown(created.createKey, `${context.root}/companies/${companyId}/keys`);
  },
};

const KEY = stored(
  'query ConsoleKeyToRevoke($id: ID!) { key(id: $id) { id prefix name companyId environment createdAt revokedAt } }',
);

const REVOKE = stored(
  'mutation ConsoleRevokeKey($id: ID!, $reason: String!) { revokeKey(id: $id, reason: $reason) { id } }',
);

export const revokeKey: Action = {
  async prepare(context) {
    const found = await KEY(context, { id: context.param('id') });
    if (isRefusal(found)) return found;
    const { key } = found;
    if (key === null) return new Refusal('not_found', 'There is no key of this id.');
    const companyScope = key.companyId === null ? undefined : await companyScopeOf(context, key.companyId);
    if (isRefusal(companyScope)) return companyScope;
    return {
      title: 'Revoke a key',
      companyScope: companyScope,
      lead: 'The key is revoked immediately and permanently: it is refused from the next request on. An operator’s sessions in the console end with it.',
      subject: html`<div class="card">${facts([
        ['Name', bdi(key.name)],
        ['Begins with', html`<code>${key.prefix}…</code>`],
        ['For', key.environment === null ? say('operators') : wordOf(key.environment)],
        ['Created', dayOf(key.createdAt)],
        ['Revoked', key.revokedAt !== null && dayOf(key.revokedAt)],
      ])}</div>`,
      submit: 'Revoke it',
      irreversible: true,
      back: key.companyId === null ? '/keys' : `/companies/${key.companyId}/keys`,
    };
  },
  async perform(context, entries) {
    const done = await REVOKE(context, { id: context.param('id'), reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'The key is revoked.' };
  },
};
