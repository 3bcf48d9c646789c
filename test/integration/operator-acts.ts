import { decideRecords } from '../support/invoices/corrections.ts';
import { postfix } from './bounce-reports.ts';
import { type Act, certificateOf, type Doing, type World } from './mutation-world.ts';

/** What operators change, and what they select of each answer. */

const byOperator = (name: string, prepare: (world: World) => Promise<Doing>): Act => ({
  name,
  prepare: async (world) => ({ ...(await prepare(world)), key: world.operator }),
});

const ENVIRONMENT = 'companyEnvironment { ...CompanyEnvironment }';
const CERTIFICATES =
  '...ClientCertificate ownerCertificates(first: 5) { edges { node { ...ClientCertificate } } }';
const named = ({ company }: World) => `companyId: "${company.companyId}", environment: test`;
const ofRecord = '{ record { ...RegistrationRecord } chain { ...ChainHealth } }';

const uploaded = async (world: World, input: object = certificateOf(world)): Promise<string> =>
  (
    await world.ask(
      'mutation ($input: UploadCertificateInput!) { made: uploadCertificate(input: $input) { id } }',
      { input },
      world.operator,
    )
  ).made.id;

/** The pending record of an invoice that was issued live. */
async function pendingRecord({ ticket, service, company }: World): Promise<string> {
  const { id } = await ticket(company.live.key);
  const { rows } = await service.owner.query<{ id: string }>(
    'select id from registration_record where invoice_id = $1',
    [id],
  );
  return rows[0]!.id;
}

const ACCOUNTS: readonly Act[] = [
  byOperator('createCompany', async ({ company }) => ({
    done: 'createCompany(input: $input) { ...Company account { ...Account } }',
    variables: {
      input: [
        'CreateCompanyInput!',
        {
          ...{ accountId: company.accountId, nif: 'A58818501', legalName: 'Otra SL', reason: 'r' },
          address: { line1: 'a', postalCode: '28001', city: 'b' },
        },
      ],
    },
  })),
  byOperator('createKey', async (world) => ({
    done: `createKey(${named(world)}, name: "n", reason: "r") { apiKey { ...ApiKey ${ENVIRONMENT} } }`,
  })),
  byOperator('revokeKey', async (world) => {
    const { made } = await world.ask(
      `mutation { made: createKey(${named(world)}, name: "lost", reason: "r") { id } }`,
      {},
      world.operator,
    );
    return { done: `revokeKey(id: "${made.id}", reason: "r") { ...ApiKey ${ENVIRONMENT} }` };
  }),
  byOperator('createOperatorKey', async () => ({
    done: 'createOperatorKey(name: "n", reason: "r") { apiKey { ...ApiKey } }',
  })),
  byOperator('createIntegration', async (world) => ({
    done: `createIntegration(input: { ${named(world)}, name: "shop" }) { ...Integration }`,
  })),
  byOperator('saveCustomer', async (world) => {
    const { made } = await world.ask(
      `mutation { made: createIntegration(input: { ${named(world)}, name: "till" }) { id } }`,
      {},
      world.operator,
    );
    const save = (name: string) =>
      `saveCustomer(input: { ${named(world)}, integrationId: "${made.id}", externalCustomerId: "c-2", name: "${name}", reason: "r" })`;
    await world.ask(`mutation { ${save('Ana')} { id } }`, {}, world.operator);
    return { done: `${save('Eva')} { ...Customer }` };
  }),
  byOperator('setDefaultNumberSeries', async (world) => {
    const { made } = await world.ask(
      'mutation { made: createNumberSeries(input: { prefix: "MAIN", type: standard }) { id } }',
    );
    return {
      done: `setDefaultNumberSeries(${named(world)}, id: "${made.id}", reason: "r") {
        ...NumberSeries ${ENVIRONMENT}
        companyEnvironment { all: numberSeries(first: 50, type: standard) { edges { node { ...NumberSeries } } } } }`,
    };
  }),
  byOperator('setTaxCatalogRow', async ({ company }) => ({
    done: 'setTaxCatalogRow(input: $input) { ...TaxCatalogRow }',
    variables: {
      input: [
        'TaxCatalogRowInput!',
        {
          ...{ companyId: company.companyId, taxType: 'vat', agencyTax: '01', regimeKey: '01' },
          ...{ operationClass: 'S1', label: 'IVA general', reason: 'r' },
        },
      ],
    },
  })),
  byOperator('removeTaxCatalogRow', async ({ company }) => ({
    done: `removeTaxCatalogRow(companyId: "${company.companyId}", taxType: es_exempt, reason: "r") { ...TaxCatalogRow }`,
  })),
];

const CERTIFICATE_ACTS: readonly Act[] = [
  byOperator('uploadCertificate', async (world) => {
    await uploaded(world);
    return {
      done: `uploadCertificate(input: $input) { ${CERTIFICATES} }`,
      variables: { input: ['UploadCertificateInput!', certificateOf(world)] },
    };
  }),
  byOperator('uploadCertificate', async (world) => {
    const again = certificateOf(world);
    return {
      gone: [await uploaded(world, again)],
      done: `uploadCertificate(input: $input) { ${CERTIFICATES} }`,
      variables: { input: ['UploadCertificateInput!', again] },
    };
  }),
  byOperator('activateCertificate', async (world) => {
    const earlier = await uploaded(world);
    await uploaded(world);
    return { done: `activateCertificate(id: "${earlier}", reason: "r") { ${CERTIFICATES} }` };
  }),
  byOperator('removeCertificate', async (world) => ({
    done: `removeCertificate(id: "${await uploaded(world)}", reason: "r") { ${CERTIFICATES} }`,
  })),
];

const CHAIN_ACTS: readonly Act[] = [
  ...['pauseChain', 'resumeChain', 'retryChain'].map((name) =>
    byOperator(name, async ({ company }) => ({
      done: `${name}(chainId: ${company.live.chainId}, reason: "r") { chain { ...ChainHealth } }`,
    })),
  ),
  byOperator('parkRecord', async (world) => ({
    done: `parkRecord(recordId: "${await pendingRecord(world)}", reason: "r") ${ofRecord}`,
  })),
  byOperator('unparkRecord', async (world) => {
    const id = await pendingRecord(world);
    await world.ask(
      `mutation { parkRecord(recordId: "${id}", reason: "r") { chainId } }`,
      {},
      world.operator,
    );
    return { done: `unparkRecord(recordId: "${id}", reason: "r") ${ofRecord}` };
  }),
  byOperator('skipRecord', async (world) => ({
    done: `skipRecord(recordId: "${await pendingRecord(world)}", reason: "r") { ...Invoice records { ...RegistrationRecord } }`,
  })),
  byOperator('amendRecord', async ({ ticket, service, company }) => {
    const { id } = await ticket(company.live.key);
    await decideRecords(service.db, id, 'rejected');
    return {
      done: `amendRecord(input: { invoiceId: "${id}", reason: "r" }) { ...Invoice records { ...RegistrationRecord } }`,
    };
  }),
  byOperator('retryJob', async ({ service }) => {
    const { rows } = await service.owner.query<{ id: string }>(
      `select id from graphile_worker.add_job('wake_schedules', job_key => 'kept', run_at => now() + interval '1 hour')`,
    );
    return { done: `retryJob(id: "job_${rows[0]!.id}", reason: "r") { ...Job }` };
  }),
  byOperator('takeBounce', async ({ sending }) => {
    const { id: invoice } = await sending.issue();
    const { id } = await sending.sent(invoice);
    await sending.deliver(id);
    const { from: returnPath, header } = sending.server.received.at(-1)!;
    const delivered = { returnPath, messageId: header('message-id')!, address: 'ana@example.com' };
    return {
      done: 'takeBounce(message: $message) { email { ...InvoiceEmail invoice { ...Invoice } } }',
      variables: { message: ['String!', postfix(delivered)] },
    };
  }),
];

/** They stop the issuing of what others need. */
const LAST: readonly Act[] = [
  byOperator('openNewInstallation', async ({ ticket, beside }) => {
    // With a record to be sent, the closed chain is still there.
    await ticket(beside.live.key);
    return {
      done: `openNewInstallation(environmentId: ${beside.live.environmentId}, reason: "r") {
        environment { ...CompanyEnvironment } chain { ...ChainHealth } closedChain { ...ChainHealth } }`,
    };
  }),
  byOperator('setCompanyFlags', async ({ beside }) => ({
    done: `setCompanyFlags(companyId: "${beside.companyId}", flags: { mandateApproved: false, subscriptionActive: false }, reason: "r") {
      ...Company account { ...Account } }`,
  })),
  byOperator('checkAfterRestore', async () => ({
    done: `checkAfterRestore(reason: "r") { chains(first: 50) { edges { node { ...ChainHealth ${ENVIRONMENT} } } } }`,
  })),
];

export const OPERATOR_ACTS: readonly Act[] = [...ACCOUNTS, ...CERTIFICATE_ACTS, ...CHAIN_ACTS, ...LAST];
