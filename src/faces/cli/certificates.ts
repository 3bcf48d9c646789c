import type { Command } from 'commander';
import type { WhoAndWhy } from '../../ground/db/audit-log.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { configuredCertificate } from '../../subjects/certificates/configured.ts';
import { certificatesInUse, daysUntil } from '../../subjects/certificates/in-use.ts';
import {
  activateCertificate,
  type Keeping,
  listCertificates,
  removeCertificate,
  rotateKeys,
  type Stored,
  uploadCertificate,
} from '../../subjects/certificates/manage.ts';
import { Vault } from '../../subjects/certificates/vault.ts';
import { changes, type Desk, reads, subject, type World } from './command.ts';
import { Ending, Found } from './exits.ts';
import { count, may, need, operand, word } from './options.ts';
import { fileContent, password } from './secrets.ts';
import { always } from './targets.ts';

export function certificates(program: Command, world: World): void {
  const group = subject(program, 'certificates', 'client certificates for the tax agency');
  reads(group, world, {
    name: 'list',
    says: 'lists certificates, the platform’s first; an owner’s active one before its others',
    takes: { company: may('co_…', 'only those of this company') },
    examples: [['All certificates', 'certificates list']],
    run: async ({ db }, { company }) => (await listCertificates({ db }, company)).map(row),
  });
  upload(group, world);
  const acts = { activate: activateCertificate, remove: removeCertificate };
  const says = {
    activate: 'puts a kept certificate to use in place of its owner’s active one',
    remove: 'destroys a certificate with its key; the next in line takes over',
  };
  const examples = {
    activate: 'The certificate of before',
    remove: 'A certificate that was replaced',
  };
  for (const name of ['activate', 'remove'] as const) {
    changes(group, world, {
      name,
      says: says[name],
      takes: { certificate: operand('the id of the certificate') },
      examples: [[examples[name], `certificates ${name} $CERTIFICATE --reason "renewal" --live`]],
      would: (_desk, { certificate }) => always(`${name} ${certificate}, with which live records are sent`),
      run: ({ db }, { certificate: id }, { actor, reason }) =>
        shown(acts[name]({ db }, actor, { id, reason })),
    });
  }
  changes(group, world, {
    name: 'rotate-keys',
    says: 'locks every certificate with the first of CERTIFICATE_KEYS',
    details:
      'Locks every certificate that another key locks with the first of CERTIFICATE_KEYS. Afterwards the old key can be taken out.',
    takes: {},
    examples: [['After a new key was put first', 'certificates rotate-keys --reason "yearly change" --live']],
    would: () => always('lock anew the certificates with which live records are sent'),
    run: (desk, _given, by) => rotate(desk, by),
  });
  reads(group, world, {
    name: 'alarm',
    says: 'says which certificates in use run out soon',
    details:
      'Says which of the certificates in use run out soon or have run out, the configured file included, and ends with 6 when there is one.',
    takes: { days: count('how soon', { most: 3_650, standard: 30 }) },
    examples: [['For a nightly check', 'certificates alarm --days 30 --json']],
    run: alarm,
  });
}

function upload(group: Command, world: World): void {
  changes(group, world, {
    name: 'upload',
    says: 'takes in a certificate and puts it to use from the next envelope on',
    details:
      'Takes in a certificate from a .p12, .pfx or .pem file and puts it to use from the next envelope on, in place of its owner’s active one, which is kept. The password comes from a file, from standard input, or is asked for at a terminal, without being shown.',
    takes: {
      file: need('path', 'the file with certificate and key'),
      passwordFile: may('path', 'a file with its password; - for standard input'),
      company: may('co_…', 'whose it is; the platform’s without it'),
      kind: word(['person', 'seal'], 'only when the certificate does not say it, or says it wrongly'),
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
    would: (_desk, { company }) =>
      always(`send the next live records of ${company ?? 'the companies without one of their own'} with it`),
    run: (desk, given, by) => uploaded(desk, given, by),
  });
}

type Upload = {
  readonly file: string;
  readonly passwordFile: string | undefined;
  readonly company: string | undefined;
  readonly kind: 'person' | 'seal' | undefined;
};

async function uploaded(desk: Desk, { file, passwordFile: path, company, kind }: Upload, by: WhoAndWhy) {
  const content = fileContent(file, 'file');
  if (isRefusal(content)) return content;
  const secret = await password(desk, { path, field: 'passwordFile', question: `Password of ${file}: ` });
  if (isRefusal(secret)) return secret;
  const isPem = content.includes('-----BEGIN ');
  return shown(
    uploadCertificate(keepingOf(desk), by.actor, {
      ...{ companyId: company, kind, password: secret, reason: by.reason },
      ...(isPem ? { pem: content.toString('utf8') } : { pkcs12Base64: content.toString('base64') }),
    }),
  );
}

async function rotate(desk: Desk, by: WhoAndWhy) {
  const { rotated, stuck } = await rotateKeys(keepingOf(desk), by);
  if (stuck.length === 0) return { rotated };
  const faults = stuck.map(({ id, why }) => `${id}: ${why}`);
  return new Ending('refused', `${rotated} locked anew; these could not be opened: ${faults.join('; ')}`);
}

async function alarm({ db, config }: Desk, { days }: { days: number }) {
  const keeping = { db, vault: new Vault(config.certificateKeys) };
  const inUse = certificatesInUse(keeping, configuredCertificate(config.agency));
  const soon = (await inUse.expiries()).filter(({ daysLeft }) => daysLeft <= days);
  return soon.length === 0 ? soon : new Found('check_failed', soon);
}

function keepingOf({ db, config }: Desk): Keeping {
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
