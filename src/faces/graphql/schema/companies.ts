import { z } from 'zod';
import { listedRows } from '../../../ground/db/listed.ts';
import { COMPANY, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { dayOfColumn } from '../../../ground/lib/calendar.ts';
import { line, searchedLine } from '../../../ground/lib/text.ts';
import { changeFlags, openCompany } from '../../../subjects/accounts/administer.ts';
import { withoutCensus } from '../../../subjects/accounts/census.ts';
import { companyAddress, companyRequest } from '../../../subjects/accounts/companies.ts';
import { endVerifactu } from '../../../subjects/accounts/end-verifactu.ts';
import { inOrderOf, searchCompanies } from '../../../subjects/accounts/store/read-companies.ts';
import { type Environment, findEnvironment } from '../../../subjects/accounts/store/read-environments.ts';
import { updateCompany } from '../../../subjects/accounts/update-company.ts';
import { issuerCensus } from '../../../subjects/recipients/registers/issuer-census.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { loadersOf } from '../loaders.ts';
import { READS_NOTHING } from '../null-at-own-path.ts';
import { OPERATORS_PAGE, pageCost } from '../paging.ts';
import { OLDEST_FIRST, prismaListOf, rowsOfPage } from '../prisma-list.ts';
import { searchedList } from '../run-search.ts';
import { ChainHoldEnum, EnvironmentEnum } from './enums.ts';
import { Node } from './node-interface.ts';

/** Companies and their environments, for operators. */

const environmentId = (number: number): string => `env_${number}`;

/** The number of an environment by its id, or by the number itself; null for what is neither. */
function environmentNumber(id: string): number | null {
  const digits = /^(?:env_)?(\d{1,9})$/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}

export const EnvironmentType = builder.objectRef<Environment>('CompanyEnvironment').implement({
  interfaces: [Node],
  description: 'The test or live environment of a company.',
  fields: (t) => ({
    id: t.id({
      description: 'The id: `env_` and the number of the environment.',
      resolve: ({ id }) => environmentId(id),
    }),
    number: t.exposeInt('id', {
      description: 'The number of the environment, for arguments named `environmentId`.',
    }),
    kind: t.expose('kind', { type: EnvironmentEnum }),
    companyId: t.exposeID('companyId'),
    nif: t.exposeString('nif'),
    legalName: t.exposeString('legalName'),
    chainId: t.exposeInt('chainId', { description: 'The chain that accepts new records.' }),
    installationNumber: t.exposeString('installationNumber'),
    records: t.exposeInt('records', { description: 'Number of records sealed in all its chains.' }),
    hold: t.expose('hold', { type: ChainHoldEnum, nullable: true }),
    standardSeriesId: t.exposeID('standardSeriesId', {
      nullable: true,
      description:
        'The default series of ordinary invoices; null until the environment has a standard series.',
    }),
    rectifyingSeriesId: t.exposeID('rectifyingSeriesId', {
      nullable: true,
      description:
        'The default series of rectificativas; null until the environment has a rectifying series.',
    }),
    keysInForce: t.exposeInt('keysInForce'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const AccountType = builder.prismaObject('Account', {
  interfaces: [Node],
  description: 'The party that pays for the service. It may hold several companies.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, `acc_…`.' }),
    subscriptionActive: t.exposeBoolean('subscriptionActive', {
      description: 'Whether it has an active subscription, which its companies need for issuing live.',
    }),
  }),
});

export const CompanyType = builder.prismaObject('Company', {
  interfaces: [Node],
  description: 'An issuer, with the conditions for issuing live.',
  fields: (t) => ({
    id: t.exposeID('id'),
    nif: t.exposeString('nif'),
    legalName: t.exposeString('legalName'),
    givenName: t.exposeString('givenName', {
      nullable: true,
      description: 'The given name of a natural person; null if it was not sent.',
    }),
    surnames: t.exposeString('surnames', {
      nullable: true,
      description: 'The surnames of a natural person; null if they were not sent.',
    }),
    accountId: t.exposeID('accountId', {
      description: 'The account that pays; several companies may share one.',
    }),
    account: t.relation('account', {
      description: 'The account that pays; several companies may share one.',
      extensions: READS_NOTHING,
    }),
    mandateApproved: t.boolean({ resolve: ({ mandateApprovedAt }) => mandateApprovedAt !== null }),
    onboardingFinished: t.boolean({ resolve: ({ onboardingFinishedAt }) => onboardingFinishedAt !== null }),
    timeZone: t.string({
      description: 'Where its days and years begin: `Europe/Madrid` or `Atlantic/Canary`.',
      select: { environments: { select: { timeZone: true }, take: 1 } },
      resolve: ({ environments }) => environments[0]!.timeZone,
    }),
    verifactuEndsOn: t.field({
      type: 'Date',
      nullable: true,
      description:
        'The last day of VERI*FACTU, if the company gives it up: live, nothing is issued afterwards. Otherwise null.',
      resolve: ({ verifactuEndsOn }) => verifactuEndsOn && dayOfColumn(verifactuEndsOn),
    }),
    verifactuEndToldAt: t.expose('verifactuEndToldAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the agency answered a message that told it so; null: not yet told.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was closed: it has no keys and issues nothing. Null while it is open.',
    }),
    succeedsId: t.exposeID('succeedsId', {
      nullable: true,
      description: 'The company with the same NIF that it replaced; null if there is none.',
    }),
    environments: t.withAuth({ role: 'viewer' }).connection(
      {
        type: EnvironmentType,
        description: 'Test and live. For operators: needs an operator key with the role `viewer` or above.',
        complexity: { field: 5, multiplier: 2 },
        resolve: async ({ id }, args, context) => {
          const both = (await loadersOf(context).environments(id)) ?? [];
          const idOf = (environment: Environment) => environmentId(environment.id);
          return connectionOf(context, args, listedRows(both, idOf), { idOf });
        },
      },
      ...namesOf('CompanyEnvironment'),
    ),
  }),
});

builder.queryField('company', (t) =>
  t.withAuth({ role: 'viewer' }).prismaField({
    type: CompanyType,
    nullable: true,
    description: 'The company; null if no company has this id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, { services }) =>
      services.db.prisma.company.findUnique({ ...query, where: { id } }),
  }),
);

const companyListRequest = z.strictObject({ text: searchedLine(200).nullish() });

builder.queryField('companies', (t) =>
  t.withAuth({ role: 'viewer' }).connection(
    {
      type: CompanyType,
      description: 'All companies, oldest first. `first` and `last` are 1 to 200, 50 by default.',
      args: {
        text: t.arg.string({ description: 'A text in the name or the NIF; ignores case and accents.' }),
      },
      complexity: (args) => pageCost(args, OPERATORS_PAGE),
      extensions: { work: ({ text }: { text?: string | null }) => (text == null ? null : 'search') },
      resolve: async (_root, { text: requestedText, ...paging }, context, info) => {
        const { text } = valueOrThrow(parseRequest(companyListRequest, { text: requestedText }));
        const bounds = OPERATORS_PAGE;
        const whole = { model: 'Company', where: {}, order: OLDEST_FIRST, bounds } as const;
        if (text == null) return prismaListOf(context, info, paging, whole);
        const found = searchedList(context, searchCompanies(context.services.db.pool, text));
        const { edges, ...page } = await connectionOf(context, paging, found, {
          ...{ idOf: ({ id }) => id, filter: { text }, bounds },
        });
        const ids = edges.map(({ node }) => node.id);
        const where = { id: { in: ids } };
        const rows = await rowsOfPage(context, info, { model: 'Company', where });
        return { ...page, edges: inOrderOf(ids, rows).map((node, at) => ({ ...edges[at]!, node })) };
      },
    },
    ...namesOf('Company'),
  ),
);

builder.queryField('environment', (t) =>
  t.withAuth({ role: 'viewer' }).field({
    type: EnvironmentType,
    nullable: true,
    description: 'One environment by its id or number; null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The id or number of the environment.' }) },
    resolve: (_root, { id }, context) => {
      const number = environmentNumber(id);
      return number === null ? null : findEnvironment(context.services.db.pool, number);
    },
  }),
);

const CompanyAddressInput = inputType(companyAddress, 'CompanyAddressInput');

const CreateCompanyInput = inputType(
  z
    .strictObject({
      ...companyRequest.shape,
      withoutCensus,
      reason: line(500).describe('The reason; kept in the audit log.'),
    })
    .describe('A new issuer.'),
  'CreateCompanyInput',
);

builder.mutationField('createCompany', (t) =>
  t.withAuth({ role: 'admin' }).prismaField({
    type: CompanyType,
    description:
      'Creates a company with both environments, their default series and chains, after the census was asked whether the NIF has this name (`invalid_tax_id`; `tax_id_validation_unavailable` when it does not answer). All its flags are false. The actor and the reason are kept in the audit log.',
    args: { input: t.arg({ type: CreateCompanyInput, required: true }) },
    resolve: async (query, _root, { input }, context) => {
      const { keyId: actor } = context.caller;
      const { db, registers } = context.services;
      const { accountId, succeeds, series, address, timeZone, reason, ...same } = input;
      const askCensus = issuerCensus(registers.live);
      const company = {
        ...(accountId == null ? {} : { accountId }),
        ...(succeeds == null ? {} : { succeeds }),
        ...(series == null ? {} : { series }),
        ...(timeZone == null ? {} : { timeZone }),
        ...same,
        address: { ...address, country: address.country ?? undefined },
      };
      const { companyId } = valueOrThrow(
        withFieldsOf(COMPANY, await openCompany({ db, askCensus }, { actor, reason }, company)),
      );
      return db.prisma.company.findUniqueOrThrow({ ...query, where: { id: companyId } });
    },
  }),
);

builder.mutationField('updateCompany', (t) =>
  t.withAuth({ role: 'admin' }).prismaField({
    type: CompanyType,
    description:
      'Changes the data with which a company issues from then on; what was issued keeps its own. The census is asked for a new name. The actor, the reason, and the data before and after are kept in the audit log.',
    args: {
      companyId: t.arg.id({ required: true }),
      legalName: t.arg.string({ description: 'The name as registered with the agency.' }),
      givenName: t.arg.string({
        description: 'The given name of a natural person; a new name without it has none.',
      }),
      surnames: t.arg.string({
        description: 'The surnames of a natural person; a new name without them has none.',
      }),
      address: t.arg({ type: CompanyAddressInput, description: 'The whole printed address.' }),
      timeZone: t.arg.string({
        description:
          '`Europe/Madrid` or `Atlantic/Canary`; it can change from the day after that of the last invoice on.',
      }),
      withoutCensus: t.arg.boolean({ description: withoutCensus.description ?? '' }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (query, _root, { companyId, reason, ...sent }, context) => {
      const { keyId: actor } = context.caller;
      const { db, registers } = context.services;
      const { legalName, address, timeZone, ...same } = sent;
      const change = {
        ...(legalName == null ? {} : { legalName }),
        ...(address == null ? {} : { address: { ...address, country: address.country ?? undefined } }),
        ...(timeZone == null ? {} : { timeZone }),
        ...same,
      };
      const services = { db, askCensus: issuerCensus(registers.live) };
      valueOrThrow(
        withFieldsOf(COMPANY, await updateCompany(services, { actor, reason }, companyId, change)),
      );
      return db.prisma.company.findUniqueOrThrow({ ...query, where: { id: companyId } });
    },
  }),
);

builder.mutationField('endVerifactu', (t) =>
  t.withAuth({ role: 'admin' }).prismaField({
    type: CompanyType,
    description:
      'The company gives up VERI*FACTU with the end of the year (Orden HAC/1177/2024 art. 17.3). Until then every message to the agency says so; one must go out before the year ends. Afterwards live issuing is refused with `forbidden`, and what is due is still sent. The actor and the reason are kept in the audit log.',
    args: {
      companyId: t.arg.id({ required: true }),
      lastDay: t.arg({ type: 'Date', required: true, description: '31 December of the current year.' }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (query, _root, { companyId, lastDay, reason }, context) => {
      const { keyId: actor } = context.caller;
      const { db } = context.services;
      valueOrThrow(await endVerifactu(db, { actor, reason }, companyId, lastDay));
      return db.prisma.company.findUniqueOrThrow({ ...query, where: { id: companyId } });
    },
  }),
);

const CompanyFlagsInput = builder.inputType('CompanyFlagsInput', {
  description: 'Omitted flags stay unchanged.',
  fields: (t) => ({
    mandateApproved: t.boolean(),
    onboardingFinished: t.boolean(),
    subscriptionActive: t.boolean({
      description: 'The subscription of the account, and therefore of all its companies.',
    }),
  }),
});

builder.mutationField('setCompanyFlags', (t) =>
  t.withAuth({ role: 'admin' }).prismaField({
    type: CompanyType,
    description:
      'Sets the flags that a company needs for issuing live; takes effect with the next request. The subscription is that of its `account`. The actor and the reason are kept in the audit log.',
    args: {
      companyId: t.arg.id({ required: true }),
      flags: t.arg({ type: CompanyFlagsInput, required: true }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (query, _root, { companyId, flags, reason }, context) => {
      const { keyId: actor } = context.caller;
      const { db } = context.services;
      const request = {
        mandateApproved: flags.mandateApproved ?? undefined,
        onboardingFinished: flags.onboardingFinished ?? undefined,
        subscriptionActive: flags.subscriptionActive ?? undefined,
      };
      valueOrThrow(await changeFlags(context.services, { actor, reason }, companyId, request));
      return db.prisma.company.findUniqueOrThrow({ ...query, where: { id: companyId } });
    },
  }),
);
