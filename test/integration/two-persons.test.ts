import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { APPROVAL_LIMITS } from '../../src/subjects/approvals/limits.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { operatorIn, type TestOperator } from '../support/pages/console.ts';
import { commandLine } from '../support/processes/command-line.ts';

/** What operators cannot take back needs two of them where the installation says so (`TWO_PERSONS`). */

const DAY_MS = APPROVAL_LIMITS.approvalTime.value * 1_000;
const TWO_PERSONS = { TWO_PERSONS: 'on' };

let service: TestService;
let ada: TestOperator;
let grace: TestOperator;
let visitor: Visitor;
beforeAll(async () => {
  service = await testService(TWO_PERSONS);
  ada = await createOperatorKey(service.db.pool, 'Ada');
  grace = await createOperatorKey(service.db.pool, 'Grace');
  visitor = await operatorIn(service, ada);
});
afterEach(() => clock.reset());
afterAll(() => service.close());

type Reply = { readonly code: string | null; readonly detail: string };

async function ask(operator: TestOperator, query: string, variables: object = {}): Promise<Reply> {
  const { body } = await service.graphql(query, variables, { key: operator.key });
  const error = body.errors?.[0];
  return { code: error?.extensions.code ?? null, detail: error?.message ?? '' };
}

const idIn = (text: string): string => /apr_[0-9a-f]{32}/.exec(text)![0];

const decide = (name: 'giveApproval' | 'declineApproval', operator: TestOperator, id: string) =>
  ask(operator, `mutation ($id: ID!) { ${name}(id: $id, reason: "looked at it") { id state } }`, { id });

async function approved(operator: TestOperator, id: string): Promise<void> {
  expect(await decide('giveApproval', operator, id)).toMatchObject({ code: null });
}

async function issued(kind: 'test' | 'live'): Promise<{ id: string; recordId: string }> {
  const { key } = service.company[kind];
  const { id } = (await service.call('POST', '/v1/invoices', { body: aCompleteInvoice(), key })).body;
  const text = 'select id from registration_record where invoice_id = $1';
  return { id, recordId: (await service.db.pool.query(text, [id])).rows[0].id };
}

/** Everything that the acts change. */
async function state(): Promise<object> {
  const { rows } = await service.db.pool.query(
    `select (select count(*)::int from invoice_void) as voids, (select count(*)::int from operator_key) as keys,
            (select count(*)::int from record_state where status = 'skipped') as skipped,
            (select count(*)::int from chain) as chains,
            (select onboarding_finished_at is not null from company limit 1) as onboarded`,
  );
  return rows[0];
}

/** An act through each face, each time of a new subject. */
type Act = {
  readonly subject: () => Promise<string>;
  readonly mutation: (subject: string) => string;
  readonly form: (subject: string) => readonly [path: string, entries: Record<string, string>];
  readonly words: (subject: string) => readonly string[];
};

const REASON = 'x';
const ALL_FLAGS = { mandateApproved: 'yes', onboardingFinished: 'yes', subscriptionActive: 'yes' };
const ACTS: Readonly<Record<string, Act>> = {
  void_invoice: {
    subject: async () => (await issued('test')).id,
    mutation: (id) => `voidInvoice(invoiceId: "${id}", reason: "x") { id }`,
    form: (id) => [`/invoices/${id}/void`, {}],
    words: (id) => ['invoices', 'void', id],
  },
  skip_record: {
    subject: async () => (await issued('live')).recordId,
    mutation: (id) => `skipRecord(recordId: "${id}", reason: "x") { id }`,
    form: (id) => [`/records/${id}/skip`, {}],
    words: (id) => ['invoices', 'skip', id],
  },
  set_company_flags: {
    async subject() {
      await service.owner.query('update company set onboarding_finished_at = null');
      return service.company.companyId;
    },
    mutation: (id) =>
      `setCompanyFlags(companyId: "${id}", flags: { onboardingFinished: true }, reason: "x") { id }`,
    form: (id) => [`/companies/${id}/flags`, ALL_FLAGS],
    words: (id) => ['companies', 'set-flags', id, '--onboarding', 'on'],
  },
  open_installation: {
    subject: async () => String(service.company.test.environmentId),
    mutation: (id) => `openNewInstallation(environmentId: ${id}, reason: "x") { chainId }`,
    form: (id) => [`/environments/${id}/open-installation`, {}],
    words: (id) => ['chains', 'open-installation', id],
  },
  create_key: {
    subject: async () => 'Charles',
    mutation: (name) => `createOperatorKey(name: "${name}", reason: "x") { id }`,
    form: (name) => ['/keys/new', { name, role: 'admin' }],
    words: (name) => ['keys', 'create', '--kind', 'operator', '--name', name],
  },
};

const FACES: Readonly<
  Record<string, (act: Act, subject: string) => Promise<{ done: boolean; text: string }>>
> = {
  async GraphQL(act, subject) {
    const { code, detail } = await ask(ada, `mutation { ${act.mutation(subject)} }`);
    return { done: code === null, text: `${code} ${detail}` };
  },
  async 'the console'(act, subject) {
    const [path, entries] = act.form(subject);
    const { status, text } = await visitor.post(`/console${path}`, { ...entries, reason: REASON });
    return { done: status === 303 || !text.includes('Nothing was done'), text };
  },
  async 'the command line'(act, subject) {
    const lacre = commandLine(service.db, TWO_PERSONS);
    const { exit, stderr } = await lacre([...act.words(subject), '--reason', REASON, '--live', '--json']);
    return { done: exit === 0, text: stderr };
  },
};

for (const [action, act] of Object.entries(ACTS)) {
  for (const [face, perform] of Object.entries(FACES)) {
    test(`${action} by ${face} changes nothing until another operator has approved it, and then once`, async () => {
      const subject = await act.subject();
      const before = await state();
      const refused = await perform(act, subject);
      expect(refused).toEqual({ done: false, text: expect.stringContaining('approval_required') });
      expect(await state()).toEqual(before);
      const id = idIn(refused.text);
      await approved(grace, id);
      expect(await state()).toEqual(before);
      expect((await perform(act, subject)).done).toBe(true);
      expect(await state()).not.toEqual(before);
      const { rows } = await service.db.pool.query(
        `select action, actor = $2 as "isGrace", reason from audit_entry
          where subject = $1 or details->>'approval' = $1 order by at, id`,
        [id, grace.id],
      );
      expect(rows).toEqual([
        { action: 'ask_approval', isGrace: false, reason: REASON },
        { action: 'give_approval', isGrace: true, reason: 'looked at it' },
        { action, isGrace: false, reason: REASON },
      ]);
      const done = `select details->>'approvedBy' as by from audit_entry where details->>'approval' = $1`;
      expect((await service.db.pool.query(done, [id])).rows).toEqual([{ by: grace.id }]);
    });
  }
}

const voiding = (id: string, reason = 'x') =>
  `mutation { voidInvoice(invoiceId: "${id}", reason: "${reason}") { id } }`;
const OPENING = () =>
  `mutation { openNewInstallation(environmentId: ${service.company.test.environmentId}, reason: "x") { chainId } }`;

/** What Ada asks for to void a new invoice. */
async function asked(): Promise<{ invoice: string; id: string }> {
  const invoice = (await issued('test')).id;
  return { invoice, id: idIn((await ask(ada, voiding(invoice))).detail) };
}

describe('an approval', () => {
  test('is given by another operator: neither with the same key nor under the same name', async () => {
    const { invoice, id } = await asked();
    const namesake = await createOperatorKey(service.db.pool, ' ada ');
    for (const same of [ada, namesake]) {
      expect(await decide('giveApproval', same, id)).toMatchObject({ code: 'forbidden' });
    }
    expect(await ask(ada, voiding(invoice))).toMatchObject({ code: 'approval_required' });
    await approved(grace, id);
  });

  test('takes the role that the act takes', async () => {
    const { id } = await asked();
    const viewer = await createOperatorKey(service.db.pool, 'Viewer', { role: 'viewer' });
    const operator = await createOperatorKey(service.db.pool, 'Operator', { role: 'operator' });
    expect(await decide('giveApproval', viewer, id)).toMatchObject({ code: 'forbidden' });
    await approved(operator, id);
    const opening = idIn((await ask(ada, OPENING())).detail);
    expect(await decide('giveApproval', operator, opening)).toMatchObject({ code: 'forbidden' });
    expect(await decide('declineApproval', ada, opening)).toMatchObject({ code: null });
  });

  test('is of one operator, one subject and one reason: any other call asks anew', async () => {
    const { invoice, id } = await asked();
    await approved(grace, id);
    const other = (await issued('test')).id;
    const calls = [
      await ask(ada, voiding(other)),
      await ask(ada, voiding(invoice, 'another reason')),
      await ask(grace, voiding(invoice)),
    ];
    for (const { code, detail } of calls) {
      expect(code).toBe('approval_required');
      expect(idIn(detail)).not.toBe(id);
    }
    expect(await ask(ada, voiding(invoice))).toMatchObject({ code: null });
  });

  test('asked for again before it is decided is the same request', async () => {
    const { invoice, id } = await asked();
    const again = await Promise.all([1, 2, 3].map(() => ask(ada, voiding(invoice))));
    expect(new Set(again.map(({ detail }) => idIn(detail)))).toEqual(new Set([id]));
  });

  test('is used by one of two calls that come at once', async () => {
    const making = () => ask(ada, 'mutation { createOperatorKey(name: "Two", reason: "x") { id } }');
    const id = idIn((await making()).detail);
    await approved(grace, id);
    const both = await Promise.all([making(), making()]);
    expect(both.map(({ code }) => code).sort()).toEqual(['approval_required', null].sort());
    const made = `select count(*)::int as n from operator_key where name = 'Two'`;
    expect((await service.db.pool.query(made)).rows).toEqual([{ n: 1 }]);
    const open = both.find(({ code }) => code !== null)!;
    expect(idIn(open.detail)).not.toBe(id);
    await decide('declineApproval', ada, idIn(open.detail));
  });

  test('is not used by an act that fails', async () => {
    const { invoice, id } = await asked();
    await approved(grace, id);
    await service.owner.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger fails before insert on invoice_void execute function fail()`);
    try {
      expect(await ask(ada, voiding(invoice))).toMatchObject({ code: 'internal_error' });
    } finally {
      await service.owner.query('drop function fail cascade');
    }
    expect(await ask(ada, voiding(invoice))).toMatchObject({ code: null });
  });

  test('is refused after a day, undecided or unused', async () => {
    const undecided = await asked();
    const unused = await asked();
    await approved(grace, unused.id);
    clock.shift(DAY_MS);
    expect(await decide('giveApproval', grace, undecided.id)).toMatchObject({ code: 'invalid_request' });
    for (const { invoice, id } of [undecided, unused]) {
      const { code, detail } = await ask(ada, voiding(invoice));
      expect([code, idIn(detail) === id]).toEqual(['approval_required', false]);
    }
  });

  test('that is declined permits nothing, even after it was given', async () => {
    const { invoice, id } = await asked();
    await approved(grace, id);
    expect(await decide('declineApproval', grace, id)).toMatchObject({ code: null });
    expect(await ask(ada, voiding(invoice))).toMatchObject({ code: 'approval_required' });
    expect(await decide('giveApproval', grace, id)).toMatchObject({ code: 'invalid_request' });
  });

  test('is asked for only where the act is possible', async () => {
    const count = async () =>
      (await service.db.pool.query('select count(*)::int as n from approval')).rows[0].n;
    const before = await count();
    expect((await ask(ada, voiding(`inv_${'0'.repeat(32)}`))).code).toBe('invoice_not_found');
    const flags = 'mutation { setCompanyFlags(companyId: "co_x", flags: {}, reason: "x") { id } }';
    expect((await ask(ada, flags)).code).toBe('invalid_request');
    expect(await count()).toBe(before);
  });

  test('is listed, in the console with the way to decide, on the command line, and as a node', async () => {
    const { invoice, id } = await asked();
    const visits = await operatorIn(service, grace);
    const page = (await visits.get('/console/approvals')).text;
    for (const part of [invoice.slice(-6), `/console/approvals/${id}/approve`, 'Ada'])
      expect(page).toContain(part);
    const form = await visits.post(`/console/approvals/${id}/decline`, { reason: 'not this one' });
    expect(form.status).toBe(303);
    const lacre = commandLine(service.db, TWO_PERSONS);
    const { approvals } = (await lacre(['approvals', 'list', '--json'])).json();
    expect(approvals.find((one: { id: string }) => one.id === id)).toMatchObject({
      ...{ state: 'declined', askedBy: ada.id, decidedBy: grace.id },
    });
    const query = '{ node(id: "$") { ... on Approval { state askedByName decidedByName arguments } } }';
    const { body } = await service.graphql(query.replace('$', id), {}, { key: grace.key });
    expect(body.data.node).toEqual({
      ...{ state: 'declined', askedByName: 'Ada', decidedByName: 'Grace' },
      arguments: { invoiceIds: [invoice], reason: 'x' },
    });
  });

  test('is given on the command line too, but not by whoever asked there', async () => {
    const lacre = commandLine(service.db, TWO_PERSONS);
    const { id } = await asked();
    const approving = (of: string) =>
      lacre(['approvals', 'approve', of, '--reason', 'x', '--live', '--json']);
    expect((await approving(id)).json()).toMatchObject({ id, state: 'approved' });
    const own = await lacre(['invoices', 'void', (await issued('test')).id, '--reason', 'x', '--json']);
    expect(JSON.parse((await approving(idIn(own.stderr))).stderr)).toMatchObject({ code: 'forbidden' });
  });
});

describe('whoever is behind sudo on the command line', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const lacreAs = (person: string, ...words: string[]) => {
    vi.stubEnv('SUDO_USER', person);
    return commandLine(service.db, TWO_PERSONS)([...words, '--reason', 'x', '--live', '--json']);
  };

  test('is a person, whom another one there can approve', async () => {
    const { id: invoice } = await issued('test');
    const id = idIn((await lacreAs('charles', 'invoices', 'void', invoice)).stderr);
    const own = await lacreAs('charles', 'approvals', 'approve', id);
    expect(JSON.parse(own.stderr)).toMatchObject({ code: 'forbidden' });
    expect((await lacreAs('edith', 'approvals', 'approve', id)).exit).toBe(0);
    expect((await lacreAs('charles', 'invoices', 'void', invoice)).exit).toBe(0);
  });

  test('does not approve what a key of the same name asked for', async () => {
    const { id } = await asked();
    const own = await lacreAs('ada', 'approvals', 'approve', id);
    expect(JSON.parse(own.stderr)).toMatchObject({ code: 'forbidden' });
    await approved(grace, id);
  });
});

test('merchants need no approval, and can neither see nor give one', async () => {
  const { id: invoice } = await issued('test');
  const { id } = await asked();
  const merchant = { id: '', key: service.company.test.key };
  expect(await ask(merchant, voiding(invoice))).toMatchObject({ code: null });
  expect(await decide('giveApproval', merchant, id)).toMatchObject({ code: 'forbidden' });
  expect(await ask(merchant, '{ approvals { edges { node { id } } } }')).toMatchObject({ code: 'forbidden' });
  const { body } = await service.graphql(`{ node(id: "${id}") { id } }`, {}, { key: merchant.key });
  expect(body.data.node).toBeNull();
});

test('a live key that may void takes two, others do not', async () => {
  const making = (environment: string, scope: string) =>
    ask(
      ada,
      `mutation { createKey(companyId: "${service.company.companyId}", environment: ${environment}, name: "n",
        scopes: [${scope}], reason: "x") { id } }`,
    );
  expect((await making('live', 'correct')).code).toBe('approval_required');
  expect((await making('live', 'read')).code).toBeNull();
  expect((await making('test', 'correct')).code).toBeNull();
});

test('the service’s own role cannot rewrite what was asked for, nor delete it', async () => {
  for (const text of [
    `update approval set arguments = '{}'`,
    `update approval set asked_by = 'opk_x'`,
    'delete from approval',
  ]) {
    await expect(service.db.pool.query(text)).rejects.toThrow('permission denied');
  }
});

test('an operator has a limited number of open requests', async () => {
  const busy = await createOperatorKey(service.db.pool, 'Busy');
  const { openApprovals } = APPROVAL_LIMITS;
  await service.owner.query(
    `insert into approval (id, action, subject, arguments, digest, asked_by, asked_at, expires_at)
     select 'apr_' || n, 'void_invoice', 'x', '{}', n, $1, now(), now() + interval '1 day' from generate_series(1, $2) n`,
    [busy.id, openApprovals.value],
  );
  const { code, detail } = await ask(busy, voiding((await issued('test')).id));
  expect([code, detail]).toEqual(['approval_required', expect.stringContaining('wait already')]);
});

test('without the setting one operator is enough', async () => {
  const alone = await testService();
  try {
    const { key } = await createOperatorKey(alone.db.pool, 'Ada');
    const { companyId } = alone.company;
    const flags = `mutation { setCompanyFlags(companyId: "${companyId}", flags: {}, reason: "x") { id } }`;
    expect((await alone.graphql(flags, {}, { key })).body.errors).toBeUndefined();
  } finally {
    await alone.close();
  }
});
