import { CertificateKind } from '../../../../generated/prisma/enums.ts';
import { listedRows } from '../../../ground/db/listed.ts';
import { daysUntil } from '../../../subjects/certificates/in-use.ts';
import {
  activateCertificate,
  type CertificateServices,
  listCertificates,
  removeCertificate,
  type Stored,
  uploadCertificate,
} from '../../../subjects/certificates/manage.ts';
import { retryFailingChains } from '../../../subjects/registration/due-chains.ts';
import { builder } from '../builder.ts';
import { connectionOf, sharedBy } from '../connections.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
import { loadersOf } from '../loaders.ts';
import { OPERATORS_PAGE, pageCost } from '../paging.ts';
import { Node } from './node-interface.ts';

const CertificateKindEnum = builder.enumType(CertificateKind, { name: 'CertificateKind' });

export const ClientCertificate = builder.objectRef<Stored>('ClientCertificate').implement({
  interfaces: [Node],
  description: 'A client certificate for the agency. Its key is never shown.',
  fields: (t) => ({
    id: t.exposeID('id'),
    companyId: t.exposeID('companyId', {
      nullable: true,
      description: 'Null for the platform’s certificate, used for every company without its own.',
    }),
    kind: t.expose('kind', {
      type: CertificateKindEnum,
      description: 'A seal certificate uses separate hosts of the agency.',
    }),
    holderNif: t.exposeString('holderNif'),
    holderName: t.exposeString('holderName'),
    validFrom: t.expose('validFrom', { type: 'DateTime' }),
    validTo: t.expose('validTo', { type: 'DateTime' }),
    daysLeft: t.int({
      description: 'Whole days until it expires; negative if it has expired.',
      resolve: ({ validTo }) => daysUntil(validTo),
    }),
    fingerprint: t.exposeString('fingerprint', { description: 'SHA-256 of the certificate.' }),
    active: t.exposeBoolean('active', {
      description: 'Whether it is in use. Each owner has one active certificate.',
    }),
    warning: t.string({
      nullable: true,
      description:
        'After an upload, why it is not known whether the agency accepts the certificate: the agency did not answer. Null if it was accepted, and later.',
      resolve: ({ warning }) => warning ?? null,
    }),
    uploadedBy: t.exposeString('uploadedBy'),
    uploadedAt: t.expose('uploadedAt', { type: 'DateTime' }),
  }),
});

const ClientCertificateConnection = builder.connectionObject({
  type: ClientCertificate,
  name: 'ClientCertificateConnection',
});

builder.objectField(ClientCertificate, 'ownerCertificates', (t) =>
  t.connection(
    {
      type: ClientCertificate,
      complexity: (args) => pageCost(args, OPERATORS_PAGE),
      description:
        'All certificates of its owner, the active one first. `first` and `last` are 1 to 200, 50 by default.',
      resolve: async ({ companyId }, paging, context) => {
        const all = await loadersOf(context).certificates(companyId ?? '');
        return connectionOf(context, paging, listedRows(all, idOf), { idOf, bounds: OPERATORS_PAGE });
      },
    },
    ClientCertificateConnection,
  ),
);

const idOf = ({ id }: Stored): string => id;

function certificateServicesOf({ services }: Context): CertificateServices {
  const { db, vault, config, agencyClients } = services;
  return { db, vault, collaboratorNif: config.agency.collaboratorNif, tryOut: agencyClients.tryOut };
}

builder.queryField('certificates', (t) =>
  t.withAuth({ role: 'viewer' }).connection(
    {
      type: ClientCertificate,
      complexity: (args) => pageCost(args, OPERATORS_PAGE),
      description:
        'Client certificates for the agency: the platform’s first, and for each owner the active one first. `first` and `last` are 1 to 200, 50 by default.',
      args: { companyId: t.arg.id({ description: 'Only those of a company.' }) },
      resolve: (_root, { companyId, ...paging }, context) =>
        connectionOf(context, paging, listCertificates(context.services, companyId ?? undefined), {
          ...{ idOf, filter: { companyId }, bounds: OPERATORS_PAGE },
        }),
    },
    sharedBy(ClientCertificateConnection),
  ),
);

/** Nothing is required here: which fields belong together is known to the operation, which names what is missing. */
const UploadCertificateInput = builder.inputType('UploadCertificateInput', {
  fields: (t) => ({
    companyId: t.id({ description: 'The owner; if omitted, the certificate belongs to the platform.' }),
    kind: t.field({
      type: CertificateKindEnum,
      description: 'The kind of the certificate; only needed if the certificate does not state it correctly.',
    }),
    pkcs12Base64: t.string({
      description: 'A .p12 or .pfx file in base64, including legacy encryption. Either this or `pem`.',
    }),
    pem: t.string({
      description: 'The certificate, its issuers and its key, which may be encrypted with the password.',
    }),
    password: t.string(),
    reason: t.string({ description: 'The reason; kept in the audit log.' }),
  }),
});

builder.mutationField('uploadCertificate', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: ClientCertificate,
    description:
      'Stores a client certificate and uses it from the next envelope on, in place of its owner’s active one, which is among `ownerCertificates`. ' +
      'An earlier upload of the same certificate is deleted. It is shown to the agency first: one that the agency refuses is not stored (`refused_by_agency`). Chains that wait after a failure are tried again at once. Refuses with `invalid_request`; `errors` state the cause.',
    args: { input: t.arg({ type: UploadCertificateInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { keyId } = context.caller;
      const uploaded = valueOrThrow(await uploadCertificate(certificateServicesOf(context), keyId, input));
      await retryFailingChains(context.services.db.pool, uploaded.companyId);
      return uploaded;
    },
  }),
);

builder.mutationField('activateCertificate', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: ClientCertificate,
    description:
      'Activates a stored certificate in place of its owner’s active one, which is among `ownerCertificates`.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, request, context) => {
      const { keyId } = context.caller;
      const activated = valueOrThrow(await activateCertificate(context.services, keyId, request));
      await retryFailingChains(context.services.db.pool, activated.companyId);
      return activated;
    },
  }),
);

builder.mutationField('removeCertificate', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: ClientCertificate,
    description: 'Deletes a certificate with its key; the next one takes over.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, request, context) => {
      const { keyId } = context.caller;
      const removed = valueOrThrow(await removeCertificate(context.services, keyId, request));
      await retryFailingChains(context.services.db.pool, removed.companyId);
      return removed;
    },
  }),
);
