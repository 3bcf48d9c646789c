import { isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { CERTIFICATE_FIELDS, daysLeft } from '../certificates.ts';
import { chosen } from '../choices.ts';
import { companyScopeOf } from '../company.ts';
import { facts } from '../components.ts';
import { dayOf } from '../format.ts';
import type {
  Action,
  ActionField,
  ActionResult,
  CompanyScope,
  Confirmation,
  Entries,
  OperatorContext,
} from '../page.ts';
import { stored } from '../query.ts';
import { given, say, type Text, wordOf } from '../words.ts';

const UPLOAD = stored(
  'mutation ConsoleUploadCertificate($input: UploadCertificateInput!) { uploadCertificate(input: $input) { holderName warning } }',
);

const KINDS = [
  ['', 'As stated in the certificate'],
  ['person', 'Person or representative'],
  ['seal', 'Seal'],
] as const;

const FIELDS: readonly ActionField[] = [
  {
    ...({
      name: 'pkcs12Base64',
      label: 'Certificate with its key',
      kind: 'file',
      accept: '.p12,.pfx',
    } as const),
    hint: 'A .p12 or .pfx file, as issued by FNMT and others.',
    optional: true,
  },
  {
    ...({ name: 'pem', label: 'Or as text', kind: 'text', max: 30_000, optional: true } as const),
    hint: 'PEM: the certificate, its issuers and its key. Instead of the file.',
  },
  { name: 'password', label: 'Password', kind: 'password', max: 200, optional: true },
  {
    name: 'kind',
    label: 'Kind',
    hint: 'Only needed if the certificate does not state it correctly. It determines the agency’s host.',
    choices: KINDS,
    optional: true,
  },
];

function uploading(companyScope: CompanyScope | undefined, back: string): Confirmation {
  return {
    title: companyScope === undefined ? 'Upload the platform’s certificate' : 'Upload a certificate',
    companyScope: companyScope,
    lead: 'It is used from the next envelope on, in place of the active one, which is kept. Its key is stored encrypted and never shown.',
    fields: FIELDS,
    submit: 'Upload and use it',
    back,
  };
}

async function upload(
  context: OperatorContext,
  entries: Entries,
  companyId: string | null,
): Promise<Outcome<ActionResult>> {
  const input = {
    companyId,
    kind: chosen(KINDS, entries('kind')) || null,
    pkcs12Base64: entries('pkcs12Base64') || null,
    pem: entries('pem') || null,
    password: entries('password') || null,
    reason: entries('reason'),
  };
  const done = await UPLOAD(context, { input });
  if (isRefusal(done)) return done;
  const { holderName, warning } = done.uploadCertificate;
  return {
    flash: given(
      `${say('The certificate of {holder} is in use.', { holder: holderName })} ${warning === null ? say('The tax agency accepts it.') : wordOf(warning)}`,
    ),
  };
}

export const uploadPlatformCertificate: Action = {
  prepare: async () => uploading(undefined, '/certificates'),
  perform: (context, entries) => upload(context, entries, null),
};

export const uploadCompanyCertificate: Action = {
  async prepare(context) {
    const companyScope = await companyScopeOf(context);
    return isRefusal(companyScope)
      ? companyScope
      : uploading(companyScope, `/companies/${companyScope.companyId}/certificates`);
  },
  perform: (context, entries) => upload(context, entries, context.param('companyId')),
};

const ONE = stored(
  `query ConsoleOneCertificate($id: ID!) { node(id: $id) { __typename ... on ClientCertificate { ${CERTIFICATE_FIELDS} } } }`,
);

type CertificateAction = Pick<Confirmation, 'title' | 'lead' | 'submit' | 'irreversible'> & {
  readonly mutation: 'activateCertificate' | 'removeCertificate';
  readonly flash: Text;
};

function onCertificate({ mutation, flash, ...texts }: CertificateAction): Action {
  const mutate = stored(
    `mutation Console_${mutation}($id: ID!, $reason: String!) { ${mutation}(id: $id, reason: $reason) { id } }`,
  );
  return {
    async prepare(context) {
      const found = await ONE(context, { id: context.param('id') });
      if (isRefusal(found)) {
        return found.code === 'not_found'
          ? new Refusal('not_found', 'There is no certificate with this id.')
          : found;
      }
      const one = found.node;
      if (one.__typename !== 'ClientCertificate')
        return new Refusal('not_found', 'There is no certificate with this id.');
      const companyScope = one.companyId === null ? undefined : await companyScopeOf(context, one.companyId);
      if (isRefusal(companyScope)) return companyScope;
      const subject = html`<div class="card">${facts([
        ['Holder', bdi(one.holderName)],
        ['NIF', one.holderNif],
        ['Owner', one.companyId === null ? say('the platform') : say('the company')],
        ['Valid until', dayOf(one.validTo)],
        ['Days left', daysLeft(one)],
        ['In use', say(one.active ? 'yes' : 'no')],
        ['SHA-256', html`<code class="hash">${one.fingerprint}</code>`],
      ])}</div>`;
      const back = one.companyId === null ? '/certificates' : `/companies/${one.companyId}/certificates`;
      return { ...texts, companyScope: companyScope, subject, back };
    },
    async perform(context, entries) {
      const done = await mutate(context, { id: context.param('id'), reason: entries('reason') });
      return isRefusal(done) ? done : { flash };
    },
  };
}

export const activateCertificate = onCertificate({
  mutation: 'activateCertificate',
  title: 'Use this certificate',
  lead: 'It replaces its owner’s active certificate from the next envelope on.',
  submit: 'Use it',
  flash: 'The certificate is active.',
});

export const removeCertificate = onCertificate({
  mutation: 'removeCertificate',
  title: 'Remove this certificate',
  lead: 'It is deleted with its key and cannot be restored. If it was active, the owner’s next certificate becomes active; without one, nothing can be sent.',
  submit: 'Delete it',
  irreversible: true,
  flash: 'The certificate was deleted.',
});
