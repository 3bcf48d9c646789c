import { resolve } from 'node:path';
import { type InvoiceRequest, LacreClient } from '@lacre/client';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { runningPostgresUrl } from '../../src/ground/db/embedded/postgres.ts';
import type { DemoCredentials } from '../../src/startup/demo.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import type { TestBrowser } from '../support/pages/browser.ts';
import { testLog } from '../support/processes/run-log.ts';
import { execute } from './execute.ts';
import { openPage } from './take.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/console');
const SHOWN = [
  ['approvals', 'desktop-light', 'en-GB'],
  ['approvals', 'phone-dark', 'en-GB'],
  ['approvals-es', 'desktop-light', 'es-ES'],
] as const;

/** What two operators asked each other to approve, in each state, into docs/console; the service has `TWO_PERSONS`. */
export async function drawApprovals(
  browser: TestBrowser,
  demo: DemoCredentials,
  dataDir: string,
): Promise<void> {
  const { base_url: url } = demo;
  const [ada, grace] = await twoOperators(dataDir);
  await fillApprovals(demo, ada, grace);
  for (const [what, appearance, locale] of SHOWN) {
    const { page, capture, close } = await openPage(browser, FOLDER, appearance, { locale });
    await page.goto(`${url}/console/login?next=/approvals`);
    await page.locator('input[name="key"]').fill(grace);
    await page.locator('form').last().getByRole('button').click();
    await page.goto(`${url}/console/approvals`);
    await page.locator('table').first().waitFor();
    await capture(what);
    await close();
  }
}

/** Their keys, of which the second one could not be made over the service without the approval of another. */
async function twoOperators(dataDir: string): Promise<[ada: string, grace: string]> {
  const db = openDb(runningPostgresUrl(dataDir)!, { max: 1, log: testLog() });
  try {
    const { key: ada } = await createOperatorKey(db.pool, 'Ada Lovelace');
    const { key: grace } = await createOperatorKey(db.pool, 'Grace Hopper');
    return [ada, grace];
  } finally {
    await closeDb(db);
  }
}

async function fillApprovals(
  { base_url: url, test }: DemoCredentials,
  ada: string,
  grace: string,
): Promise<void> {
  const client = new LacreClient({ baseUrl: url, key: test });
  const issue = async () => (await client.invoices.create(aSimplifiedInvoice() as InvoiceRequest)).id;
  type Companies = {
    companies: {
      edges: {
        node: { id: string; environments: { edges: { node: { kind: string; number: number } }[] } };
      }[];
    };
  };
  const { companies } = await execute<Companies>(
    { url, key: grace },
    '{ companies(first: 1) { edges { node { id environments { edges { node { kind number } } } } } } }',
  );
  const { id: company, environments } = companies.edges[0]!.node;
  const environment = environments.edges.find(({ node }) => node.kind === 'test')!.node.number;

  /** What is asked for is refused with the id of the request. */
  const asks = async (key: string, act: string): Promise<string> => {
    const refusal = await execute({ url, key }, `mutation { ${act} }`).then(
      () => '',
      ({ message }: Error) => message,
    );
    return /apr_\w+/.exec(refusal)![0];
  };
  const decides = (key: string, id: string, decision: 'giveApproval' | 'declineApproval') =>
    execute({ url, key }, `mutation { ${decision}(id: "${id}", reason: "looked at it") { id } }`);

  const voiding = `voidInvoice(invoiceId: "${await issue()}", reason: "issued twice") { id }`;
  await decides(grace, await asks(ada, voiding), 'giveApproval');
  await execute({ url, key: ada }, `mutation { ${voiding} }`);
  const opening = `openNewInstallation(environmentId: ${environment}, reason: "restored from last night") { chainId }`;
  await decides(ada, await asks(grace, opening), 'declineApproval');
  const flags = `setCompanyFlags(companyId: "${company}", flags: { subscriptionActive: true }, reason: "paid") { id }`;
  await decides(grace, await asks(ada, flags), 'giveApproval');
  await asks(
    grace,
    'createOperatorKey(name: "nightly report", role: viewer, reason: "figures of the day") { id }',
  );
  await asks(ada, `voidInvoice(invoiceId: "${await issue()}", reason: "the sale never was") { id }`);
}
