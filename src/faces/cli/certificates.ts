import type { Command } from 'commander';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { configuredCertificate } from '../../subjects/certificates/configured.ts';
import { certificatesInUse, daysUntil } from '../../subjects/certificates/in-use.ts';
import {
  activateCertificate,
  allCertificates,
  type Keeping,
  removeCertificate,
  rotateKeys,
  type Stored,
  uploadCertificate,
} from '../../subjects/certificates/manage.ts';
import { Vault } from '../../subjects/certificates/vault.ts';
import { rotateSecretKeys } from '../../subjects/webhooks/secrets.ts';
import {
  type CliRuntime,
  type CommandContext,
  changeCommand,
  commandGroup,
  queryCommand,
} from './command.ts';
import { CheckResult, CommandFailure } from './exit-status.ts';
import { choiceOption, integerOption, operand, optionalOption, requiredOption } from './options.ts';
import { fileContent, password } from './secrets.ts';
import { liveChange } from './targets.ts';

export function certificates(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'certificates', 'client certificates for the tax agency');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists certificates, the platform’s first; an owner’s active one before its others',
    parameters: { company: optionalOption('co_…', 'only those of this company') },
    examples: [['All certificates', 'certificates list']],
    run: async ({ db }, { company }) => (await allCertificates({ db }, company)).map(row),
  });
  upload(group, runtime);
  const acts = { activate: activateCertificate, remove: removeCertificate };
  const descriptions = {
    activate: 'puts a kept certificate to use in place of its owner’s active one',
    remove: 'destroys a certificate with its key; the next in line takes over',
  };
  const examples = {
    activate: 'The certificate of before',
    remove: 'A certificate that was replaced',
  };
  for (const name of ['activate', 'remove'] as const) {
    changeCommand(group, runtime, {
      name,
      description: descriptions[name],
      parameters: { certificate: operand('the id of the certificate') },
      examples: [[examples[name], `certificates ${name} $CERTIFICATE --reason "renewal" --live`]],
      preview: (_desk, { certificate }) =>
        liveChange(`${name} ${certificate}, with which live records are sent`),
      run: ({ db }, { certificate: id }, { actor, reason }) =>
        shown(acts[name]({ db }, actor, { id, reason })),
    });
  }
  changeCommand(group, runtime, {
    name: 'rotate-keys',
    description: 'locks certificates and webhook secrets with the first of CERTIFICATE_KEYS',
    details:
      'Locks every certificate, and every signing secret of webhooks, that another key locks with the first of CERTIFICATE_KEYS. Afterwards the old key can be taken out.',
    parameters: {},
    examples: [['After a new key was put first', 'certificates rotate-keys --reason "yearly change" --live']],
    preview: () =>
      liveChange('lock anew the certificates with which live records are sent, and the secrets of webhooks'),
    run: (context, _given, by) => rotate(context, by),
  });
  queryCommand(group, runtime, {
    name: 'alarm',
    description: 'says which certificates in use run out soon',
    details:
      'Says which of the certificates in use run out soon or have run out, the configured file included, and ends with 6 when there is one.',
    parameters: { days: integerOption('how soon', { most: 3_650, standard: 30 }) },
    examples: [['For a nightly check', 'certificates alarm --days 30 --json']],
    run: alarm,
  });
}

function upload(group: Command, runtime: CliRuntime): void {
  changeCommand(group, runtime, {
    name: 'upload',
    description: 'takes in a certificate and puts it to use from the next envelope on',
    details:
      'Takes in a certificate from a .p12, .pfx or .pem file and puts it to use from the next envelope on, in place of its owner’s active one, which is kept. The password comes from a file, from standard input, or is asked for at a terminal, without being shown.',
    parameters: {
      file: requiredOption('path', 'the file with certificate and key'),
      passwordFile: optionalOption('path', 'a file with its password; - for standard input'),
      company: optionalOption('co_…', 'whose it is; the platform’s without it'),
      kind: choiceOption(['person', 'seal'], 'only when the certificate does not say it, or says it wrongly'),
    },
    examples: [
      [
        'The platform’s own, its password from a file',
        'certificates upload --file platform.p12 --password-file password.txt --reason "first certificate" --live',
      ],
      [
        'A company’s, its password from another program',
        'certificates upload --file own.p12 --password-file - --company $COMPANY --reason "renewal" --live < password.txt',
      ],
    ],
    preview: (_desk, { company }) =>
      liveChange(
        `send the next live records of ${company ?? 'the companies without one of their own'} with it`,
      ),
    run: (context, given, by) => uploaded(context, given, by),
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
    uploadCertificate(keepingOf(context), by.actor, {
      ...{ companyId: company, kind, password: secret, reason: by.reason },
      ...(isPem ? { pem: content.toString('utf8') } : { pkcs12Base64: content.toString('base64') }),
    }),
  );
}

async function rotate(context: CommandContext, by: ActorAndReason) {
  const { rotated, stuck } = await rotateKeys(keepingOf(context), by);
  const secrets = await rotateSecretKeys({ db: context.db, keys: context.config.certificateKeys }, by);
  const faults = [...stuck, ...secrets.stuck].map(({ id, why }) => `${id}: ${why}`);
  if (faults.length === 0) return { rotated, webhookSecrets: secrets.rotated };
  return new CommandFailure(
    'refused',
    `${rotated + secrets.rotated} locked anew; these could not be opened: ${faults.join('; ')}`,
  );
}

async function alarm({ db, config }: CommandContext, { days }: { days: number }) {
  const keeping = { db, vault: new Vault(config.certificateKeys) };
  const inUse = certificatesInUse(keeping, configuredCertificate(config.agency));
  const soon = (await inUse.expiries()).filter(({ daysLeft }) => daysLeft <= days);
  return soon.length === 0 ? soon : new CheckResult('check_failed', soon);
}

function keepingOf({ db, config }: CommandContext): Keeping {
  const { collaboratorNif } = config.agency;
  return { db, vault: new Vault(config.certificateKeys), collaboratorNif };
}

async function shown(changing: Promise<Outcome<Stored>>): Promise<Outcome<object>> {
  const outcome = await changing;
  return isRefusal(outcome) ? outcome : row(outcome);
}

function row({ companyId, ...rest }: Stored) {
  return { ...rest, owner: companyId ?? 'platform', daysLeft: daysUntil(rest.validTo) };
}
