import { decideRecords } from '../support/invoices/corrections.ts';
import { postfix } from './bounce-reports.ts';
import { certificateOf, type MutationCase, type PreparedCase, type Setup } from './mutation-setup.ts';

/** What operators change, and what they select of each answer. */

const byOperator = (name: string, prepare: (setup: Setup) => Promise<PreparedCase>): MutationCase => ({
  name,
  prepare: async (setup) => ({ ...(await prepare(setup)), key: setup.operator }),
});

const ENVIRONMENT = 'companyEnvironment { ...CompanyEnvironment }';
const CERTIFICATES =
  '...ClientCertificate ownerCertificates(first: 5) { edges { node { ...ClientCertificate } } }';
const named = ({ company }: Setup) => `companyId: "${company.companyId}", environment: test`;
const ofRecord = '{ record { ...RegistrationRecord } chain { ...ChainHealth } }';

const uploaded = async (setup: Setup, input: object = certificateOf(setup)): Promise<string> =>
  (
    await setup.execute(
      'mutation ($input: UploadCertificateInput!) { made: uploadCertificate(input: $input) { id } }',
      { input },
      setup.operator,
    )
  ).made.id;

/** The pending record of an invoice that was issued live. */
async function pendingRecord({ ticket, service, company }: Setup): Promise<string> {
  const { id } = await ticket(company.live.key);
  const { rows } = await service.owner.query<{ id: string }>(
    'select id from registration_record where invoice_id = $1',
    [id],
  );
  return rows[0]!.id;
}

const ACCOUNTS: readonly MutationCase[] = [
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
  byOperator('updateCompany', async ({ company }) => ({
    done: `updateCompany(companyId: "${company.companyId}", legalName: "Otro Nombre SL", reason: "r") {
      ...Company account { ...Account } both: environments { edges { node { ...CompanyEnvironment } } } }`,
    // The status of a chain is read anew all the time, and repeats the name for those who look at many.
    polled: /^legalName of chain_/,
  })),
  byOperator('endVerifactu', async ({ company }) => ({
    done: `endVerifactu(companyId: "${company.companyId}", lastDay: "${new Date().getFullYear()}-12-31", reason: "r") { ...Company account { ...Account } }`,
  })),
  byOperator('closeCompany', async ({ company, execute, operator }) => {
    const address = { line1: 'a', postalCode: '28001', city: 'b' };
    const input = {
      accountId: company.accountId,
      nif: 'A28015865',
      legalName: 'Antigua SL',
      address,
      reason: 'r',
    };
    const { made } = await execute(
      'mutation ($input: CreateCompanyInput!) { made: createCompany(input: $input) { id } }',
      { input },
      operator,
    );
    return {
      done: `closeCompany(companyId: "${made.id}", reason: "r") { ...Company account { ...Account } }`,
    };
  }),
  byOperator('exportCompany', async ({ company }) => ({
    done: `exportCompany(companyId: "${company.companyId}", reason: "r") { downloadUrl }`,
  })),
  // Of the live environment, which has none here: those of the test environment are objects of other cases.
  byOperator('eraseDrafts', async ({ company }) => ({
    done: `eraseDrafts(companyId: "${company.companyId}", environment: live, reason: "r") { drafts }`,
  })),
  byOperator('createKey', async (setup) => ({
    done: `createKey(${named(setup)}, name: "n", reason: "r") { apiKey { ...ApiKey ${ENVIRONMENT} } }`,
  })),
  byOperator('revokeKey', async (setup) => {
    const { made } = await setup.execute(
      `mutation { made: createKey(${named(setup)}, name: "lost", reason: "r") { id } }`,
      {},
      setup.operator,
    );
    return { done: `revokeKey(id: "${made.id}", reason: "r") { ...ApiKey ${ENVIRONMENT} }` };
  }),
  byOperator('createOperatorKey', async () => ({
    done: 'createOperatorKey(name: "n", reason: "r") { apiKey { ...ApiKey } }',
  })),
  byOperator('createIntegration', async (setup) => ({
    done: `createIntegration(input: { ${named(setup)}, name: "shop" }) { ...Integration }`,
  })),
  byOperator('saveCustomer', async (setup) => {
    const { made } = await setup.execute(
      `mutation { made: createIntegration(input: { ${named(setup)}, name: "till" }) { id } }`,
      {},
      setup.operator,
    );
    const save = (name: string) =>
      `saveCustomer(input: { ${named(setup)}, integrationId: "${made.id}", externalCustomerId: "c-2", name: "${name}", reason: "r" })`;
    await setup.execute(`mutation { ${save('Ana')} { id } }`, {}, setup.operator);
    return { done: `${save('Eva')} { ...Customer }` };
  }),
  byOperator('deleteCustomer', async (setup) => {
    const { made } = await setup.execute(
      `mutation { made: createIntegration(input: { ${named(setup)}, name: "kiosk" }) { id } }`,
      {},
      setup.operator,
    );
    const customer = `integrationId: "${made.id}", externalCustomerId: "c-9"`;
    const save = `saveCustomer(input: { ${named(setup)}, ${customer}, name: "Ana", reason: "r" }) { id }`;
    await setup.execute(`mutation { ${save} }`, {}, setup.operator);
    return { done: `deleteCustomer(${customer}, ${named(setup)}, reason: "r") { ...Customer }` };
  }),
  byOperator('eraseCustomer', async (setup) => {
    const { made } = await setup.execute(
      `mutation { made: createIntegration(input: { ${named(setup)}, name: "stall" }) { id } }`,
      {},
      setup.operator,
    );
    const customer = `integrationId: "${made.id}", externalCustomerId: "c-8"`;
    const save = `saved: saveCustomer(input: { ${named(setup)}, ${customer}, name: "Ana", reason: "r" }) { id }`;
    const { saved } = await setup.execute(`mutation { ${save} }`, {}, setup.operator);
    return {
      done: `eraseCustomer(${customer}, ${named(setup)}, reason: "r") { customers }`,
      removed: [saved.id],
    };
  }),
  byOperator('setDefaultNumberSeries', async (setup) => {
    const { made } = await setup.execute(
      'mutation { made: createNumberSeries(input: { prefix: "MAIN", type: standard }) { id } }',
    );
    return {
      done: `setDefaultNumberSeries(${named(setup)}, id: "${made.id}", reason: "r") {
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
          ...{ companyId: company.companyId, taxType: 'vat', agencyTax: 'vat', regimeKey: '01' },
          ...{ operationClass: 'S1', label: 'IVA general', reason: 'r' },
        },
      ],
    },
  })),
  byOperator('removeTaxCatalogRow', async ({ company }) => ({
    done: `removeTaxCatalogRow(companyId: "${company.companyId}", taxType: es_exempt, reason: "r") { ...TaxCatalogRow }`,
  })),
];

const CERTIFICATE_CASES: readonly MutationCase[] = [
  byOperator('uploadCertificate', async (setup) => {
    await uploaded(setup);
    return {
      done: `uploadCertificate(input: $input) { ${CERTIFICATES} }`,
      variables: { input: ['UploadCertificateInput!', certificateOf(setup)] },
    };
  }),
  byOperator('uploadCertificate', async (setup) => {
    const again = certificateOf(setup);
    return {
      removed: [await uploaded(setup, again)],
      done: `uploadCertificate(input: $input) { ${CERTIFICATES} }`,
      variables: { input: ['UploadCertificateInput!', again] },
    };
  }),
  byOperator('activateCertificate', async (setup) => {
    const earlier = await uploaded(setup);
    await uploaded(setup);
    return { done: `activateCertificate(id: "${earlier}", reason: "r") { ${CERTIFICATES} }` };
  }),
  byOperator('removeCertificate', async (setup) => ({
    done: `removeCertificate(id: "${await uploaded(setup)}", reason: "r") { ${CERTIFICATES} }`,
  })),
];

const CHAIN_CASES: readonly MutationCase[] = [
  ...['pauseChain', 'resumeChain', 'retryChain'].map((name) =>
    byOperator(name, async ({ company }) => ({
      done: `${name}(chainId: ${company.live.chainId}, reason: "r") { chain { ...ChainHealth } }`,
    })),
  ),
  byOperator('parkRecord', async (setup) => ({
    done: `parkRecord(recordId: "${await pendingRecord(setup)}", reason: "r") ${ofRecord}`,
  })),
  byOperator('unparkRecord', async (setup) => {
    const id = await pendingRecord(setup);
    await setup.execute(
      `mutation { parkRecord(recordId: "${id}", reason: "r") { chainId } }`,
      {},
      setup.operator,
    );
    return { done: `unparkRecord(recordId: "${id}", reason: "r") ${ofRecord}` };
  }),
  byOperator('skipRecord', async (setup) => ({
    done: `skipRecord(recordId: "${await pendingRecord(setup)}", reason: "r") { ...Invoice records { ...RegistrationRecord } }`,
  })),
  byOperator('amendRecord', async ({ ticket, service, company }) => {
    const { id } = await ticket(company.live.key);
    await decideRecords(service.db, id, 'rejected');
    return {
      done: `amendRecord(input: { invoiceId: "${id}", reason: "r" }) { ...Invoice records { ...RegistrationRecord } }`,
    };
  }),
  ...['giveApproval', 'declineApproval'].map((name) =>
    byOperator(name, async ({ service }) => {
      await service.owner.query(
        `insert into approval (id, action, subject, arguments, digest, asked_by, asked_at, expires_at)
         values ($1, 'void_invoice', 'inv_1', '{}', $1, 'opk_1', now(), now() + interval '1 day')`,
        [`apr_${name}`],
      );
      return { done: `${name}(id: "apr_${name}", reason: "r") { ...Approval }` };
    }),
  ),
  byOperator('retryJob', async ({ service }) => {
    const { rows } = await service.owner.query<{ id: string }>(
      `select id from graphile_worker.add_job('wake_schedules', job_key => 'kept', run_at => now() + interval '1 hour')`,
    );
    return { done: `retryJob(id: "job_${rows[0]!.id}", reason: "r") { ...Job }` };
  }),
  byOperator('retryFailedJobs', async () => ({
    done: 'retryFailedJobs(task: "none", reason: "r") { matching changed again }',
  })),
  ...['retryChains', 'unparkRecords'].map((name) =>
    byOperator(name, async () => ({
      done: `${name}(cause: "none", reason: "r") { matching changed again }`,
    })),
  ),
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
const LAST: readonly MutationCase[] = [
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

export const OPERATOR_CASES: readonly MutationCase[] = [
  ...ACCOUNTS,
  ...CERTIFICATE_CASES,
  ...CHAIN_CASES,
  ...LAST,
];
