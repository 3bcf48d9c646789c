import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { createOperatorKey, revokeKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { operatorIn, type TestOperator } from '../support/pages/console.ts';
import {
  insiderAt,
  type TestIdentityProvider,
  testIdentityProvider,
} from '../support/pages/identity-provider.ts';

/** Two persons (`TWO_PERSONS`), of whom one has signed in with the identity provider and the other has a key. */

const SECOND = 1_000;

let provider: TestIdentityProvider;
let service: TestService;
beforeAll(async () => {
  provider = await testIdentityProvider();
  service = await testService({ ...provider.settings, TWO_PERSONS: 'on' });
});
afterEach(() => {
  clock.reset();
  provider.broken = false;
});
afterAll(async () => {
  await service?.close();
  await provider?.close();
});

const keyOf = (name: string) => createOperatorKey(service.db.pool, name);

function signedIn(account: string, name: string): Promise<Visitor> {
  provider.accounts.set(account, { name, groups: ['lacre-admins'] });
  provider.signingIn = account;
  return insiderAt(service.url);
}

async function anInvoice(): Promise<string> {
  const { key } = service.company.test;
  return (await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice(), key })).body.id;
}

async function voidBy({ key }: TestOperator, invoice: string): Promise<string> {
  const query = `mutation { voidInvoice(invoiceId: "${invoice}", reason: "issued twice") { status } }`;
  const { body } = await service.graphql(query, {}, { key });
  return body.errors?.[0].message ?? body.data.voidInvoice.status;
}

async function voidIn(visitor: Visitor, invoice: string): Promise<string> {
  const { status, text } = await visitor.post(`/console/invoices/${invoice}/void`, {
    reason: 'issued twice',
  });
  return status === 303 ? 'voided' : text;
}

const idIn = (text: string): string => /apr_[0-9a-f]{32}/.exec(text)![0];

const approveIn = (visitor: Visitor, id: string, form: { token?: string } = {}) =>
  visitor.post(`/console/approvals/${id}/approve`, { reason: 'looked at it', ...form });

async function approveBy({ key }: TestOperator, id: string): Promise<string> {
  const query = `mutation { giveApproval(id: "${id}", reason: "looked at it") { state } }`;
  const { body } = await service.graphql(query, {}, { key });
  return body.errors?.[0].extensions.code ?? body.data.giveApproval.state;
}

async function stateOf(id: string): Promise<{ state: string; by: string | null }> {
  const text = `select coalesce(decision, 'open') as state, decided_by as by from approval where id = $1`;
  return (await service.db.pool.query(text, [id])).rows[0];
}

const OPEN = { state: 'open', by: null };

describe('an approval', () => {
  test('that a key asked for is given by a person who has signed in', async () => {
    const ada = await keyOf('Ada Lovelace');
    const invoice = await anInvoice();
    const id = idIn(await voidBy(ada, invoice));
    const grace = await signedIn('grace', 'Grace Hopper');
    expect((await grace.get('/console/approvals')).text).toContain('Ada Lovelace');
    expect((await approveIn(grace, id)).status).toBe(303);
    expect(await stateOf(id)).toEqual({ state: 'approved', by: expect.stringMatching(/^opi_/) });
    expect(await voidBy(ada, invoice)).toBe('voided');
  });

  test('that a person who has signed in asked for is given by a key', async () => {
    const grace = await signedIn('grace', 'Grace Hopper');
    const invoice = await anInvoice();
    const id = idIn(await voidIn(grace, invoice));
    const ada = await keyOf('Ada Lovelace');
    expect(await approveBy(ada, id)).toBe('approved');
    expect(await voidIn(grace, invoice)).toBe('voided');
    const text = `select actor, details->>'approvedBy' as by from audit_entry
      where action = 'void_invoice' and details->>'approval' = $1`;
    const { rows } = await service.db.pool.query(text, [id]);
    expect(rows).toEqual([{ actor: expect.stringMatching(/^opi_/), by: ada.id }]);
  });

  test.each(['Ada Lovelace', ' ada  lovelace ', 'Áda Lovelace', 'A\u0301da Lovelace', 'Lovelace, Ada'])(
    'is not given by the same person in the other way: as %j',
    async (name) => {
      const key = await keyOf(name);
      const account = await signedIn('ada', 'Ada Lovelace');
      const ofKey = idIn(await voidBy(key, await anInvoice()));
      expect((await approveIn(account, ofKey)).text).toContain(
        'Whoever asked for an approval cannot give it',
      );
      const ofAccount = idIn(await voidIn(account, await anInvoice()));
      expect(await approveBy(key, ofAccount)).toBe('forbidden');
      expect([await stateOf(ofKey), await stateOf(ofAccount)]).toEqual([OPEN, OPEN]);
    },
  );

  test('is not given by the same account under another name, nor in another browser', async () => {
    const before = await signedIn('ada', 'Ada Lovelace');
    const id = idIn(await voidIn(before, await anInvoice()));
    const after = await signedIn('ada', 'Ada Byron');
    for (const visitor of [before, after]) {
      expect((await approveIn(visitor, id)).text).toContain('Whoever asked for an approval cannot give it');
    }
    expect(await stateOf(id)).toEqual(OPEN);
  });
});

describe('whoever is revoked approves nothing', () => {
  let asked: string;
  let grace: Visitor;
  let token: string;
  beforeAll(async () => {
    asked = idIn(await voidBy(await keyOf('Ada Lovelace'), await anInvoice()));
  });

  test('from the 60th second on at the latest, if the provider revokes the account', async () => {
    grace = await signedIn('grace', 'Grace Hopper');
    token = await grace.token();
    provider.accounts.delete('grace');
    clock.shift(60 * SECOND);
    expect((await approveIn(grace, asked, { token })).status).toBe(401);
    expect(await stateOf(asked)).toEqual(OPEN);
  });

  test('with a role that the provider has lowered', async () => {
    grace = await signedIn('grace', 'Grace Hopper');
    provider.accounts.get('grace')!.groups = ['lacre-readers'];
    clock.shift(31 * SECOND);
    expect((await approveIn(grace, asked)).text).toContain('role');
    expect(await stateOf(asked)).toEqual(OPEN);
  });

  test('while the provider does not say whether the account is revoked', async () => {
    grace = await signedIn('grace', 'Grace Hopper');
    token = await grace.token();
    provider.broken = true;
    clock.shift(60 * SECOND);
    expect((await approveIn(grace, asked, { token })).status).toBe(503);
    expect(await stateOf(asked)).toEqual(OPEN);
  });

  test('at once, if it is a key, over GraphQL and in the console', async () => {
    const key = await keyOf('Charles');
    const visitor = await operatorIn(service, key);
    token = await visitor.token();
    await revokeKey(service.db.pool, key.id);
    expect(await approveBy(key, asked)).toBe('unauthorized');
    expect((await approveIn(visitor, asked, { token })).status).toBe(401);
    expect(await stateOf(asked)).toEqual(OPEN);
  });
});
