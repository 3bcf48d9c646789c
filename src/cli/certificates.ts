import { readFileSync } from 'node:fs';
import { daysUntil } from '../certificates/in-use.ts';
import {
  activateCertificate,
  type Keeping,
  listCertificates,
  removeCertificate,
  rotateKeys,
  type Stored,
  uploadCertificate,
} from '../certificates/manage.ts';
import { Vault } from '../certificates/vault.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { isRefusal } from '../errors/refusal.ts';
import { actor, type Command, oneOf, readOptions, required } from './command.ts';

/** Where the password may come from: on the command line everybody on the machine could read it. */
const STANDARD_INPUT = '-';

export const certificates: Record<string, Command> = {
  upload: {
    usage:
      '--file <.p12|.pfx|.pem> --reason <text> [--password-file <path>|-] [--company <co_…>] [--kind person|seal]',
    async run(db, args, config) {
      const names = ['file', 'reason', 'password-file', 'company', 'kind'] as const;
      const { options } = readOptions(args, names);
      const content = readFileSync(required(options.file, '--file'));
      const isPem = content.includes('-----BEGIN ');
      const outcome = await uploadCertificate(keepingOf(db, config), actor(), {
        companyId: options.company,
        kind: options.kind === undefined ? undefined : oneOf(options.kind, '--kind', ['person', 'seal']),
        ...(isPem ? { pem: content.toString('utf8') } : { pkcs12Base64: content.toString('base64') }),
        password: passwordFrom(options['password-file']),
        reason: required(options.reason, '--reason'),
      });
      return isRefusal(outcome) ? outcome : row(outcome);
    },
  },
  list: {
    usage: '[--company <co_…>]',
    async run(db, args) {
      const { options } = readOptions(args, ['company']);
      return (await listCertificates({ db }, options.company)).map(row);
    },
  },
  activate: {
    usage: '<cert_…> --reason <text>',
    run: (db, args) => onOne(args, (request) => activateCertificate({ db }, actor(), request)),
  },
  remove: {
    usage: '<cert_…> --reason <text>',
    run: (db, args) => onOne(args, (request) => removeCertificate({ db }, actor(), request)),
  },
  'rotate-keys': {
    usage: '',
    async run(db, args, config) {
      readOptions(args, []);
      const { rotated, stuck } = await rotateKeys(keepingOf(db, config), actor());
      if (stuck.length === 0) return { rotated };
      const faults = stuck.map(({ id, why }) => `  ${id}: ${why}`);
      throw new Error(`${rotated} locked anew; these could not be opened:\n${faults.join('\n')}`);
    },
  },
};

function keepingOf(db: Db, config: Config): Keeping {
  const { collaboratorNif } = config.agency;
  return { db, vault: new Vault(config.certificateKeys), collaboratorNif };
}

async function onOne(
  args: string[],
  act: (request: { id: string; reason: string }) => ReturnType<typeof removeCertificate>,
) {
  const { options, rest } = readOptions(args, ['reason']);
  const outcome = await act({
    id: required(rest[0], 'the id of the certificate'),
    reason: required(options.reason, '--reason'),
  });
  return isRefusal(outcome) ? outcome : row(outcome);
}

/** The file's only line; editors end it with a line break, which is not part of the password. */
function passwordFrom(path: string | undefined): string {
  if (path === undefined) return '';
  return readFileSync(path === STANDARD_INPUT ? 0 : path, 'utf8').replace(/\r?\n$/, '');
}

function row({ companyId, validFrom, validTo, uploadedAt, ...rest }: Stored) {
  return {
    ...rest,
    owner: companyId ?? 'platform',
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
    daysLeft: daysUntil(validTo),
    uploadedAt: uploadedAt.toISOString(),
  };
}
