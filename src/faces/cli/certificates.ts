import type { Command } from 'commander';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { encryptionKeys } from '../../ground/lib/encryption.ts';
import { findSimulator } from '../../startup/simulator.ts';
import { configuredCertificate } from '../../subjects/certificates/configured.ts';
import { certificatesInUse, daysUntil } from '../../subjects/certificates/in-use.ts';
import {
  activateCertificate,
  allCertificates,
  type CertificateServices,
  removeCertificate,
  rotateKeys,
  type Stored,
  uploadCertificate,
} from '../../subjects/certificates/manage.ts';
import { Vault } from '../../subjects/certificates/vault.ts';
import { realAgency, simulatedAgency } from '../../subjects/registration/aeat/endpoints.ts';
import { retryFailingChains } from '../../subjects/registration/due-chains.ts';
import { tryCertificate } from '../../subjects/registration/try-certificate.ts';
import { rotateSecretKeys } from '../../subjects/webhooks/secrets.ts';
import { type CliRuntime, type CommandContext, commandGroup } from './command.ts';
import { commandKeys } from './command-keys.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { CheckResult, CommandFailure } from './exit-status.ts';
import { choiceOption, integerOption, operand, optionalOption, requiredOption } from './options.ts';
import { fileContent, password } from './secrets.ts';
import { liveChange } from './targets.ts';

export function certificates(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'certificates', 'client certificates for the tax agency');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists certificates, the platform’s first; for each owner, the active one first',
    parameters: { company: optionalOption('co_…', 'only those of this company') },
    examples: [['All certificates', 'certificates list']],
    run: async ({ db }, { company }) => (await allCertificates({ db }, company)).map(row),
  });
  upload(group, runtime);
  const operations = { activate: activateCertificate, remove: removeCertificate };
  const descriptions = {
    activate: 'activates a stored certificate instead of its owner’s active one',
    remove: 'deletes a certificate with its key; the owner’s next one becomes active',
  };
  const examples = {
    activate: 'The previous certificate',
    remove: 'A certificate that was replaced',
  };
  for (const name of ['activate', 'remove'] as const) {
    changeCommand(group, runtime, {
      name,
      description: descriptions[name],
      parameters: { certificate: operand('the id of the certificate') },
      examples: [[examples[name], `certificates ${name} $CERTIFICATE --reason "renewal" --live`]],
      preview: (_context, { certificate }) =>
        liveChange(`${name} ${certificate}, with which live records are sent`),
      run: ({ db }, { certificate: id }, { actor, reason }) =>
        shown(db, operations[name]({ db }, actor, { id, reason })),
    });
  }
  changeCommand(group, runtime, {
    name: 'rotate-keys',
    description: 'encrypts certificates and webhook secrets with the current one of CERTIFICATE_KEYS',
    details:
      'Encrypts every certificate and every signing secret of webhooks again that is not encrypted with the current key: the first of CERTIFICATE_KEYS that all live processes know, which the answer names. Once it is the new one, the old key can be removed.',
    parameters: {},
    examples: [
      ['After a new key was added as the first', 'certificates rotate-keys --reason "yearly change" --live'],
    ],
    preview: () =>
      liveChange(
        'encrypt again the certificates with which live records are sent, and the secrets of webhooks',
      ),
    run: (context, _values, by) => rotate(context, by),
  });
  queryCommand(group, runtime, {
    name: 'alarm',
    description: 'reports certificates in use that expire soon',
    details:
      'Reports certificates in use that expire soon or have expired, including the configured file, and ends with 6 if there is one.',
    parameters: { days: integerOption('how soon', { max: 3_650, standard: 30 }) },
    examples: [['For a nightly check', 'certificates alarm --days 30 --json']],
    run: alarm,
  });
}

function upload(group: Command, runtime: CliRuntime): void {
  changeCommand(group, runtime, {
    name: 'upload',
    description: 'uploads a certificate, to be used from the next envelope on',
    details:
      'Uploads a certificate from a .p12, .pfx or .pem file, to be used from the next envelope on instead of its owner’s active one, which is kept. The password is read from a file, from standard input, or from the terminal without being shown. It is shown to the agency first: one that the agency refuses is not stored, and `warning` says if the agency did not answer.',
    parameters: {
      file: requiredOption('path', 'the file with certificate and key'),
      passwordFile: optionalOption('path', 'a file with its password; - for standard input'),
      company: optionalOption('co_…', 'its owner; by default the platform'),
      kind: choiceOption(
        ['person', 'seal'],
        'only if the certificate does not state its kind, or states it wrongly',
      ),
    },
    examples: [
      [
        'The platform’s certificate, with its password from a file',
        'certificates upload --file platform.p12 --password-file password.txt --reason "first certificate" --live',
      ],
      [
        'A company’s certificate, with its password from another program',
        'certificates upload --file own.p12 --password-file - --company $COMPANY --reason "renewal" --live < password.txt',
      ],
    ],
    preview: (_context, { company }) =>
      liveChange(
        `send the next live records of ${company ?? 'the companies without one of their own'} with it`,
      ),
    run: (context, values, by) => uploaded(context, values, by),
  });
}

type Upload = {
  readonly file: string;
  readonly passwordFile: string | undefined;
  readonly company: string | undefined;
  readonly kind: 'person' | 'seal' | undefined;
};

async function uploaded(
  context: CommandContext,
  { file, passwordFile: path, company, kind }: Upload,
  by: ActorAndReason,
) {
  const content = fileContent(file, 'file');
  if (isRefusal(content)) return content;
  const secret = await password(context, { path, field: 'passwordFile', question: `Password of ${file}: ` });
  if (isRefusal(secret)) return secret;
  const isPem = content.includes('-----BEGIN ');
  return shown(
    context.db,
    uploadCertificate(await certificateServicesOf(context), by.actor, {
      ...{ companyId: company, kind, password: secret, reason: by.reason },
      ...(isPem ? { pem: content.toString('utf8') } : { pkcs12Base64: content.toString('base64') }),
    }),
  );
}

async function rotate(context: CommandContext, by: ActorAndReason) {
  const keys = await commandKeys(context);
  const services = { ...(await certificateServicesOf(context)), vault: new Vault(keys) };
  const { rotated, failed } = await rotateKeys(services, by);
  const secrets = await rotateSecretKeys({ db: context.db, keys }, by);
  const faults = [...failed, ...secrets.failed].map(({ id, reason }) => `${id}: ${reason}`);
  const key = keys.current.name;
  if (faults.length === 0) return { key, rotated, webhookSecrets: secrets.rotated };
  return new CommandFailure(
    'refused',
    `${rotated + secrets.rotated} encrypted again; these could not be decrypted: ${faults.join('; ')}`,
  );
}

async function alarm({ db, config }: CommandContext, { days }: { days: number }) {
  const services = { db, vault: new Vault(encryptionKeys(config.certificateKeys)) };
  const inUse = certificatesInUse(services, configuredCertificate(config.agency));
  const soon = (await inUse.expiries()).filter(({ daysLeft }) => daysLeft <= days);
  return soon.length === 0 ? soon : new CheckResult('check_failed', soon);
}

async function certificateServicesOf(context: CommandContext): Promise<CertificateServices> {
  const { db, config } = context;
  const { collaboratorNif } = config.agency;
  const { endpoint } = config.agency;
  const tryOut: CertificateServices['tryOut'] = (presented) =>
    tryCertificate(
      (own) =>
        endpoint === 'simulator' ? simulatedAgency(findSimulator(config), own) : realAgency(endpoint, own),
      presented,
    );
  return { db, vault: new Vault(await commandKeys(context)), collaboratorNif, tryOut };
}

/** The certificate as it is now. What waits because of the one that was used before is tried again at once. */
async function shown(
  { pool }: CommandContext['db'],
  changing: Promise<Outcome<Stored>>,
): Promise<Outcome<object>> {
  const outcome = await changing;
  if (isRefusal(outcome)) return outcome;
  await retryFailingChains(pool, outcome.companyId);
  return row(outcome);
}

function row({ companyId, ...rest }: Stored) {
  return { ...rest, owner: companyId ?? 'platform', daysLeft: daysUntil(rest.validTo) };
}
