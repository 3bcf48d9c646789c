import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import type { Listed } from '../../ground/db/listed.ts';
import type { RowKey } from '../../ground/db/rows.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { line } from '../../ground/lib/text.ts';
import type { PresentedCertificate } from './client-pool.ts';
import type { CertificateFile, ReadCertificate } from './read-certificate.ts';
import { readCertificateInWorker } from './read-in-worker.ts';
import {
  activate,
  certificatesOf,
  companyNifOf,
  deactivate,
  deleteCertificate,
  deleteEarlier,
  idsUnderOtherKeys,
  insertCertificate,
  lockCertificate,
  lockForChange,
  readCertificates,
  readCertificatesById,
  readCertificatesOf,
  replaceSecret,
  type SealedCertificate,
  type StoredCertificate,
} from './store.ts';
import type { Vault } from './vault.ts';

/** The data of a stored certificate that may be shown; `warning` after an upload alone. */
export type Stored = StoredCertificate & { readonly warning?: string | null };

/** What the agency made of a certificate that was shown to it. */
export type CertificateTrial =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'unreachable'; readonly reason: string };

/** An uploaded certificate; `warning`: why it is not known whether the agency accepts it, null if it does. */
export type Uploaded = StoredCertificate & { readonly warning: string | null };

/** The dependencies of managing certificates. */
export type CertificateServices = {
  /** Shows a certificate to the agency before it is stored. */
  readonly tryOut: (presented: PresentedCertificate) => Promise<CertificateTrial>;
  readonly db: Pick<Db, 'pool'>;
  readonly vault: Vault;
  /** Whose certificates may be used for every company. */
  readonly collaboratorNif: string;
};

const upload = z
  .strictObject({
    companyId: z.string().nullish(),
    /** Overrides the kind that the certificate states: it decides which host of the agency is used. */
    kind: z.enum(['person', 'seal']).nullish(),
    pkcs12Base64: z.string().nullish(),
    pem: z.string().nullish(),
    password: z.string().nullish(),
    reason: line(500),
  })
  .superRefine((value, check) => {
    if ((value.pkcs12Base64 == null) === (value.pem == null)) {
      const message = 'is needed, or pem in its place';
      check.addIssue({ code: 'custom', path: ['pkcs12Base64'], message, params: { reason: 'required' } });
    }
  });

/** The uploaded file; the refusal states what is wrong with it. */
export type Upload = { readonly [Field in keyof z.input<typeof upload>]?: string | null | undefined };

/**
 * Stores a certificate of a company, or without `companyId` the platform's, and activates it in place of the
 * owner's active one, which is kept. It is shown to the agency first: what the agency refuses is not stored, and an
 * agency that does not answer is a warning. Refuses with `invalid_request`; the issue's code is `refused_by_agency`, one of
 * `readCertificateAside`, or `not_base64`, `expired`, `not_yet_valid`, `no_holder_nif`, `holder_mismatch` (a
 * company's certificate must be held by the company or the collaborator, the platform's by the collaborator),
 * `not_found` for the company.
 */
export async function uploadCertificate(
  services: CertificateServices,
  actor: Actor,
  input: Upload,
): Promise<Outcome<Uploaded>> {
  const request = parseRequest(upload, input);
  if (isRefusal(request)) return request;
  const file = fileOf(request);
  if (isRefusal(file)) return file;
  const read = await readCertificateInWorker(file);
  if (isRefusal(read)) return read;
  const companyId = request.companyId ?? null;
  const kind = request.kind ?? read.kind;
  const holderNif = await holderFor(services, file.field, read, companyId);
  if (isRefusal(holderNif)) return holderNif;
  const trial = await services.tryOut({ kind, identity: read.identity });
  if (trial.kind === 'refused') {
    return invalidField(file.field, 'refused_by_agency', `is refused by the tax agency: ${trial.reason}`);
  }
  const warning =
    trial.kind === 'accepted' ? null : `Not tried: the tax agency does not answer (${trial.reason}).`;
  return inTransaction<Outcome<Uploaded>>(services.db.pool, async (client) => {
    await lockForChange(client);
    const reference = { id: newId('cert'), companyId, fingerprint: read.fingerprint };
    const row: SealedCertificate = {
      ...reference,
      kind,
      holderNif,
      holderName: read.holderName,
      validFrom: read.validFrom,
      validTo: read.validTo,
      active: true,
      uploadedBy: actor,
      uploadedAt: clock.now(),
      ...services.vault.seal(read.identity, reference),
    };
    await deleteEarlier(client, companyId, read.fingerprint);
    await deactivate(client, companyId);
    await insertCertificate(client, row);
    await note(client, actor, 'upload_certificate', row, request.reason);
    return { ...withoutKey(row), warning };
  });
}

/** The holder's NIF if it may hold a certificate of that owner. */
async function holderFor(
  { db, collaboratorNif }: Pick<CertificateServices, 'db' | 'collaboratorNif'>,
  field: string,
  read: ReadCertificate,
  companyId: string | null,
): Promise<Outcome<string>> {
  const companyNif = companyId === null ? null : await companyNifOf(db.pool, companyId);
  if (companyId !== null && companyNif === null) {
    return invalidField('companyId', 'not_found', 'there is no such company');
  }
  const allowed = [companyNif, collaboratorNif].filter((nif) => nif !== null);
  return acceptedHolder(field, read, allowed);
}

function fileOf(request: z.output<typeof upload>): Outcome<CertificateFile> {
  const password = request.password ?? '';
  if (request.pem != null) return { field: 'pem', content: Buffer.from(request.pem), password };
  const encoded = (request.pkcs12Base64 ?? '').replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) {
    return invalidField('pkcs12Base64', 'not_base64', 'is not base64');
  }
  return { field: 'pkcs12Base64', content: Buffer.from(encoded, 'base64'), password };
}

/** The holder's NIF if the agency would accept the certificate now for one of these NIF. */
function acceptedHolder(field: string, read: ReadCertificate, allowed: readonly string[]): Outcome<string> {
  const now = clock.now();
  if (read.validTo <= now) {
    return invalidField(field, 'expired', `expired on ${read.validTo.toISOString()}`);
  }
  if (read.validFrom > now) {
    return invalidField(field, 'not_yet_valid', `is not valid before ${read.validFrom.toISOString()}`);
  }
  if (read.holderNif === null) {
    return invalidField(field, 'no_holder_nif', 'names no holder with a Spanish NIF');
  }
  if (!allowed.includes(read.holderNif)) {
    const message = `is held by ${read.holderNif}; it must be held by ${allowed.join(' or ')}`;
    return invalidField(field, 'holder_mismatch', message);
  }
  return read.holderNif;
}

/**
 * The certificates of a company, of the platform (`null`), or all (`undefined`), in pages; an owner's active one
 * first.
 */
export function listCertificates(
  { db }: Pick<CertificateServices, 'db'>,
  companyId?: string | null,
): Listed<Stored> {
  return certificatesOf(db.pool, companyId);
}

/** The same without pages. */
export function allCertificates(
  { db }: Pick<CertificateServices, 'db'>,
  companyId?: string | null,
): Promise<Stored[]> {
  return readCertificates(db.pool, companyId);
}

/** All certificates of owners, by the companies' ids ('' is the platform); the active one first. */
export function certificatesOfOwners(
  { db }: Pick<CertificateServices, 'db'>,
  owners: readonly string[],
): Promise<Map<string, Stored[]>> {
  return readCertificatesOf(db.pool, owners);
}

/** Certificates by their ids. */
export function certificatesById(
  { db }: Pick<CertificateServices, 'db'>,
  keys: readonly RowKey[],
): Promise<Map<string, Stored>> {
  return readCertificatesById(db.pool, keys);
}

/**
 * Activates a stored certificate in place of its owner's active one. Refuses with `invalid_request`: `not_found`,
 * `expired`.
 */
export async function activateCertificate(
  services: Pick<CertificateServices, 'db'>,
  actor: Actor,
  request: { id: string; reason: string },
): Promise<Outcome<StoredCertificate>> {
  return change(services, request, async (client, row, reason) => {
    if (row.validTo <= clock.now()) return invalidField('id', 'expired', 'the certificate has expired');
    await deactivate(client, row.companyId);
    await activate(client, row.id);
    await note(client, actor, 'activate_certificate', row, reason);
    return { ...withoutKey(row), active: true };
  });
}

/**
 * Deletes a certificate and its key permanently. If it was in use, the next one by precedence is used: the
 * platform's, then the configured file. Refuses with `invalid_request`, `not_found`.
 */
export async function removeCertificate(
  services: Pick<CertificateServices, 'db'>,
  actor: Actor,
  request: { id: string; reason: string },
): Promise<Outcome<StoredCertificate>> {
  return change(services, request, async (client, row, reason) => {
    await deleteCertificate(client, row.id);
    await note(client, actor, 'remove_certificate', row, reason);
    return { ...withoutKey(row), active: false };
  });
}

type Client = Parameters<Parameters<typeof inTransaction>[1]>[0];

async function change(
  services: Pick<CertificateServices, 'db'>,
  request: { id: string; reason: string },
  work: (client: Client, row: SealedCertificate, reason: string) => Promise<Outcome<StoredCertificate>>,
): Promise<Outcome<StoredCertificate>> {
  const parsed = parseRequest(z.object({ reason: line(500) }), { reason: request.reason });
  if (isRefusal(parsed)) return parsed;
  return inTransaction(services.db.pool, async (client) => {
    await lockForChange(client);
    const row = await lockCertificate(client, request.id);
    return row === null
      ? invalidField('id', 'not_found', 'there is no such certificate')
      : work(client, row, parsed.reason);
  });
}

/**
 * How many certificates were encrypted again, and those that none of the configured keys decrypts, with the reason.
 */
export type Rotation = {
  readonly rotated: number;
  readonly failed: readonly { id: string; reason: string }[];
};

/** Encrypts every certificate that uses another key with the first of the configured keys. */
export async function rotateKeys(
  services: Pick<CertificateServices, 'db' | 'vault'>,
  { actor, reason }: { readonly actor: Actor; readonly reason: string | null },
): Promise<Rotation> {
  const { db, vault } = services;
  const failed: { id: string; reason: string }[] = [];
  let rotated = 0;
  for (const id of await idsUnderOtherKeys(db.pool, vault.keyName)) {
    await inTransaction(db.pool, async (client) => {
      const row = await lockCertificate(client, id);
      if (row === null) return;
      const identity = vault.open(row, row);
      if (typeof identity === 'string') {
        failed.push({ id, reason: identity });
        return;
      }
      await replaceSecret(client, id, vault.seal(identity, row));
      await note(client, actor, 'rotate_certificate_key', row, reason, {
        from: row.keyName,
        to: vault.keyName,
      });
      rotated += 1;
    });
  }
  return { rotated, failed };
}

function note(
  client: Client,
  actor: Actor,
  action: string,
  row: SealedCertificate,
  reason: string | null,
  more: object = {},
): Promise<void> {
  const { id, companyId, kind, fingerprint, validTo } = row;
  const details = { companyId, kind, fingerprint, validTo, ...more };
  return addAuditEntry(client, { actor, action, subject: id, environmentId: null, reason, details });
}

/** Without the secret. */
function withoutKey({ keyName: _, sealed: __, ...certificate }: SealedCertificate): StoredCertificate {
  return certificate;
}
