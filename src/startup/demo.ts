import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import type { ContextFactory } from '../faces/graphql/context.ts';
import { inTransaction } from '../ground/db/transaction.ts';
import { isRefusal } from '../ground/errors/refusal.ts';
import { writeFileAtomically } from '../ground/lib/write-file.ts';
import type { Services } from '../services.ts';
import { createCompany, setCompanyFlags } from '../subjects/accounts/companies.ts';
import type { Authenticator } from '../subjects/accounts/entry/authenticate.ts';
import { createApiKey, createOperatorKey } from '../subjects/accounts/keys.ts';
import { companyOfNif, environmentOf } from '../subjects/accounts/store/read-companies.ts';
import { createDemoShop } from './demo-shop.ts';

/** A well-formed NIF that probably nobody has; the simulator's census contains every one. */
const COMPANY = {
  nif: 'B72877814',
  legalName: 'Ejemplo Lacre SL',
  address: { line1: 'Calle de Alcalá 50', postalCode: '28014', city: 'Madrid' },
};

const credentials = z.object({
  base_url: z.string(),
  test: z.string(),
  live: z.string(),
  operator: z.string(),
  simulator_url: z.string(),
  /** For `/_control` from another machine; absent unless the simulator is the service's own. */
  simulator_secret: z.string().optional(),
});

/** The content of `demo-credentials.json` (docs/contract.md#starting). */
export type DemoCredentials = z.output<typeof credentials>;

type Keys = Pick<DemoCredentials, 'test' | 'live' | 'operator'>;

/**
 * Ensures that there is a demo company with all rights and a shop, and that the credentials file contains working
 * keys of it and the current addresses. Working keys in the file are kept.
 */
export async function prepareDemo(
  services: Pick<Services, 'db' | 'authenticator'>,
  createContext: ContextFactory,
  place: { dataDir: string; baseUrl: string; simulator: { url: string; secret?: string } },
): Promise<DemoCredentials> {
  const file = join(place.dataDir, 'demo-credentials.json');
  const before = readCredentials(file);
  const works = before !== null && (await allWork(services.authenticator, before));
  const { test, live, operator } = works ? before : await inTransaction(services.db.pool, makeKeys);
  await createDemoShop(services, createContext, test);
  const { url, secret } = place.simulator;
  const known = secret === undefined ? {} : { simulator_secret: secret };
  const now = { base_url: place.baseUrl, test, live, operator, simulator_url: url, ...known };
  writeFileAtomically(file, `${JSON.stringify(now, null, 2)}\n`);
  return now;
}

function readCredentials(file: string): DemoCredentials | null {
  try {
    return credentials.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

async function allWork(authenticator: Authenticator, { test, live, operator }: Keys): Promise<boolean> {
  const callers = await Promise.all([
    authenticator.merchant(`Bearer ${test}`),
    authenticator.merchant(`Bearer ${live}`),
    authenticator.operator(`Bearer ${operator}`),
  ]);
  return callers.every((caller) => caller !== null);
}

async function makeKeys(client: pg.PoolClient): Promise<Keys> {
  const environments = (await findDemo(client)) ?? (await createDemo(client));
  const key = async (environment: 'test' | 'live') => {
    const owner = { environmentId: environments[environment], environment, name: 'demo' };
    return (await createApiKey(client, owner)).key;
  };
  return {
    test: await key('test'),
    live: await key('live'),
    operator: (await createOperatorKey(client, 'demo')).key,
  };
}

type Environments = { readonly test: number; readonly live: number };

async function findDemo(client: pg.PoolClient): Promise<Environments | null> {
  const id = await companyOfNif(client, COMPANY.nif);
  if (id === null) return null;
  const [test, live] = [await environmentOf(client, id, 'test'), await environmentOf(client, id, 'live')];
  return test === null || live === null ? null : { test, live };
}

async function createDemo(client: pg.PoolClient): Promise<Environments> {
  const company = await createCompany(client, COMPANY);
  if (isRefusal(company)) throw new Error(`the demo company was refused: ${company.detail}`);
  const allUp = { mandateApproved: true, onboardingFinished: true, subscriptionActive: true };
  await setCompanyFlags(client, company.companyId, allUp);
  return { test: company.test.environmentId, live: company.live.environmentId };
}
