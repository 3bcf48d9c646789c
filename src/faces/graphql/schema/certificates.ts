import { CertificateKind } from '../../../../generated/prisma/enums.ts';
import { daysUntil } from '../../../subjects/certificates/in-use.ts';
import {
  activateCertificate,
  type CertificateServices,
  listCertificates,
  removeCertificate,
  type Stored,
  uploadCertificate,
} from '../../../subjects/certificates/manage.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
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
      description: 'Null for the platform’s own, used for every company that has none.',
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
      description: 'Whole days; negative when it has run out.',
      resolve: ({ validTo }) => daysUntil(validTo),
    }),
    fingerprint: t.exposeString('fingerprint', { description: 'SHA-256 of the certificate.' }),
    active: t.exposeBoolean('active', { description: 'Whether it is in use; one of each owner is.' }),
    uploadedBy: t.exposeString('uploadedBy'),
    uploadedAt: t.expose('uploadedAt', { type: 'DateTime' }),
  }),
});

function certificateServicesOf({ services }: Context): CertificateServices {
  const { db, vault, config } = services;
  return { db, vault, collaboratorNif: config.agency.collaboratorNif };
}

builder.queryField('certificates', (t) =>
  t.withAuth({ role: 'viewer' }).connection(
    {
      type: ClientCertificate,
      complexity: (args) => pageCost(args, OPERATORS_PAGE),
      description:
        'Client certificates for the agency, the platform’s first, and of each owner the active one. `first` and `last` are 1 to 200, 50 by default.',
      args: { companyId: t.arg.id({ description: 'Only those of a company.' }) },
      resolve: (_root, { companyId, ...paging }, context) =>
        connectionOf(context, paging, listCertificates(context.services, companyId ?? undefined), {
          ...{ idOf: ({ id }) => id, filter: { companyId }, bounds: OPERATORS_PAGE },
        }),
    },
    ...namesOf('ClientCertificate'),
  ),
);

/**
 * Nothing is required here: what GraphQL itself says of a missing field would repeat the whole input, password and all.
 * The operation says it by field.
 */
const UploadCertificateInput = builder.inputType('UploadCertificateInput', {
  fields: (t) => ({
    companyId: t.id({ description: 'Left out, the certificate is the platform’s.' }),
    kind: t.field({
      type: CertificateKindEnum,
      description: 'Only needed when the certificate does not say it, or says it wrongly.',
    }),
    pkcs12Base64: t.string({ description: 'A .p12 or .pfx file, old encryptions included. This or `pem`.' }),
    pem: t.string({ description: 'Certificate, its issuers and its key, which may be under the password.' }),
    password: t.string(),
    reason: t.string({ description: 'Required; kept in the audit log.' }),
  }),
});

builder.mutationField('uploadCertificate', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: ClientCertificate,
    description:
      'Takes in a client certificate and puts it to use from the next envelope on, in place of its owner’s active one. ' +
      'Refuses with `invalid_request`; `errors` name the true cause.',
    args: { input: t.arg({ type: UploadCertificateInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { keyId } = context.caller;
      return valueOrThrow(await uploadCertificate(certificateServicesOf(context), keyId, input));
    },
  }),
);

builder.mutationField('activateCertificate', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: ClientCertificate,
    description: 'Puts a kept certificate to use in place of its owner’s active one.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, request, context) => {
      const { keyId } = context.caller;
      return valueOrThrow(await activateCertificate(context.services, keyId, request));
    },
  }),
);

builder.mutationField('removeCertificate', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: ClientCertificate,
    description: 'Destroys a certificate with its key; the next in line takes over.',
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, request, context) => {
      const { keyId } = context.caller;
      return valueOrThrow(await removeCertificate(context.services, keyId, request));
    },
  }),
);
