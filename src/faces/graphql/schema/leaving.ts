import { clock } from '../../../ground/lib/clock.ts';
import { expiryOf } from '../../../ground/lib/signed-link.ts';
import { DOWNLOAD_LINK_SECONDS } from '../../../subjects/documents/links.ts';
import { closeCompany } from '../../../subjects/leaving/close-company.ts';
import { type Erasure, eraseCustomer, eraseDrafts } from '../../../subjects/leaving/erase.ts';
import { noteExport } from '../../../subjects/leaving/export-company.ts';
import { archiveUrl, companyLinks } from '../../../subjects/leaving/export-link.ts';
import { KEPT, type KeptData } from '../../../subjects/leaving/kept.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import { CompanyType } from './companies.ts';
import { EnvironmentEnum } from './enums.ts';

/** A company leaves, or a person asks to be forgotten: for operators. */

const AUDITED = 'The actor and the reason are kept in the audit log.';

builder.mutationField('closeCompany', (t) =>
  t.withAuth({ role: 'admin' }).prismaField({
    type: CompanyType,
    description: `Closes a company for good: nothing is issued any more, its keys are revoked, links to its customers’ pages and webhook endpoints are deleted, schedules and reminders end. What was issued is still registered, and operators read, void and amend it. ${AUDITED}`,
    args: { companyId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (query, _root, { companyId, reason }, context) => {
      const { keyId: actor } = context.caller;
      const { db } = context.services;
      valueOrThrow(await closeCompany(db, { actor, reason }, companyId));
      return db.prisma.company.findUniqueOrThrow({ ...query, where: { id: companyId } });
    },
  }),
);

type ArchiveLink = { readonly downloadUrl: string; readonly expiresAt: Date };

const CompanyExport = builder.objectRef<ArchiveLink>('CompanyExport').implement({
  description: 'A link to the archive of a company.',
  fields: (t) => ({
    downloadUrl: t.exposeString('downloadUrl', {
      description:
        'The URL of the ZIP file, which is generated while it is downloaded. It needs no key and can be opened repeatedly until it expires.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the link expires.' }),
  }),
});

builder.mutationField('exportCompany', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: CompanyExport,
    description: `A link, valid for 15 minutes, to one archive of everything of a company: invoices, sealed records, documents, journal, customers, payments, events and settings, with a README and checksums; without secrets. ${AUDITED}`,
    args: { companyId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, { companyId, reason }, context) => {
      const { db, linkSecrets, config } = context.services;
      const { keyId: actor } = context.caller;
      valueOrThrow(await noteExport(db, { actor, reason }, companyId));
      const { expires, expiresAt } = expiryOf(clock.now(), DOWNLOAD_LINK_SECONDS);
      const token = companyLinks.sign(linkSecrets.current, { companyId, expires });
      return { downloadUrl: archiveUrl(config.baseUrl, token), expiresAt };
    },
  }),
);

const KeptDataType = builder.objectRef<KeptData>('KeptData').implement({
  description: 'What is not erased on request.',
  fields: (t) => ({
    what: t.exposeString('what', { description: 'The data that stay.' }),
    howLong: t.exposeString('howLong', { description: 'How long it must be kept.' }),
    law: t.exposeString('law', { description: 'The rule that demands it.' }),
  }),
});

const ErasureType = builder.objectRef<Erasure>('Erasure').implement({
  description: 'The personal data that were erased, and what stays.',
  fields: (t) => ({
    customers: t.exposeInt('customers', { description: 'Customers that were deleted.' }),
    drafts: t.exposeInt('drafts', {
      description: 'Drafts that were deleted, and issued ones from which what they said of people was taken.',
    }),
    schedules: t.exposeInt('schedules', {
      description: 'Ended schedules from which what they said of people was taken.',
    }),
    invoicesKept: t.exposeInt('invoicesKept', { description: 'Invoices that stay.' }),
    keptUntil: t.expose('keptUntil', {
      type: 'Date',
      nullable: true,
      description: 'The last day on which the latest of them must be kept; null without any.',
    }),
    kept: t.field({
      type: [KeptDataType],
      complexity: { field: 1, multiplier: KEPT.length },
      description: 'What stays, how long, and why.',
      resolve: () => [...KEPT],
    }),
  }),
});

builder.mutationField('eraseCustomer', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: ErasureType,
    description: `Erases a customer (Regulation (EU) 2016/679 art. 17): what is kept of them, the links to their page, their drafts, and what issued drafts and ended schedules say of them. Invoices stay. Schedules that name them must have ended. ${AUDITED}`,
    args: {
      companyId: t.arg.id({ required: true }),
      environment: t.arg({ type: EnvironmentEnum, required: true }),
      externalCustomerId: t.arg.string({ required: true }),
      integrationId: t.arg.id({ description: 'Required if the environment has several integrations.' }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (_root, { reason, ...reference }, { caller, services }) =>
      valueOrThrow(await eraseCustomer(services.db, { actor: caller.keyId, reason }, reference)),
  }),
);

builder.mutationField('eraseDrafts', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: ErasureType,
    description: `Deletes the drafts of an environment that were not issued, and takes out of issued ones and of ended schedules what they say of people. ${AUDITED}`,
    args: {
      companyId: t.arg.id({ required: true }),
      environment: t.arg({ type: EnvironmentEnum, required: true }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (_root, { reason, ...place }, { caller, services }) =>
      valueOrThrow(await eraseDrafts(services.db, { actor: caller.keyId, reason }, place)),
  }),
);
