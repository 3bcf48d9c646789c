import { z } from 'zod';
import { CertificateKind } from '../../../generated/prisma/enums.ts';
import { type Listed, listed } from '../../ground/db/listed.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { column, execute, type RowKey, readRow, readRowOfEach, readRows } from '../../ground/db/rows.ts';
import type { Sealed } from './vault.ts';

/** Statements on `client_certificate`, private to certificates. */

const storedCertificate = z.object({
  id: z.string(),
  /** Null: the platform's own, for all companies without one. */
  companyId: z.string().nullable(),
  kind: z.enum(CertificateKind),
  holderNif: z.string(),
  holderName: z.string(),
  validFrom: column.instant,
  validTo: column.instant,
  fingerprint: z.string(),
  active: z.boolean(),
  uploadedBy: z.string(),
  uploadedAt: column.instant,
});

const certificateInUse = storedCertificate.extend({ environmentId: column.whole });
const sealedCertificate = storedCertificate.extend({ keyName: z.string(), sealed: column.bytes });

/** The columns of a certificate that may be shown. */
export type StoredCertificate = Readonly<z.infer<typeof storedCertificate>>;

export type SealedCertificate = StoredCertificate & Sealed;

const COLUMNS = `c.id, c.company_id as "companyId", c.kind, c.holder_nif as "holderNif", c.holder_name as "holderName",
  c.valid_from as "validFrom", c.valid_to as "validTo", c.fingerprint, c.active, c.uploaded_by as "uploadedBy",
  c.uploaded_at as "uploadedAt"`;
const WITH_SECRET = `${COLUMNS}, c.key_name as "keyName", c.sealed`;

/**
 * The certificate that a live chain of the environment sends with: its company's active one, else the platform's,
 * if in force.
 */
export async function certificateOfEnvironment(
  client: Queryable,
  environmentId: number,
  now: Date,
): Promise<SealedCertificate | null> {
  return readRow(
    client,
    sealedCertificate,
    `select ${WITH_SECRET} from client_certificate c
       left join environment e on e.id = $1 and e.company_id = c.company_id
      where c.active and (e.id is not null or c.company_id is null) and c.valid_to > $2 order by c.company_id nulls last limit 1`,
    [environmentId, now],
  );
}

const OWNED = '$2 or c.company_id is not distinct from $1';

/** The certificates of a company, of the platform (`null`), or all (`undefined`); an owner's active one first. */
export function certificatesOf(
  client: Queryable,
  companyId: string | null | undefined,
): Listed<StoredCertificate> {
  return listed(client, {
    ...{ shape: storedCertificate, columns: COLUMNS, from: 'client_certificate c', id: 'c.id' },
    ...{ where: OWNED, values: [companyId ?? null, companyId === undefined] },
    order: [`coalesce(c.company_id, '')`, 'not c.active', '-extract(epoch from c.uploaded_at)', 'c.id'],
    direction: 'asc',
  });
}

/** The same, all of them. */
export function readCertificates(
  client: Queryable,
  companyId: string | null | undefined,
): Promise<StoredCertificate[]> {
  const text = `select ${COLUMNS} from client_certificate c where ${OWNED}
    order by c.company_id nulls first, c.active desc, c.uploaded_at desc, c.id`;
  return readRows(client, storedCertificate, text, [companyId ?? null, companyId === undefined]);
}

/** All certificates of several owners, by the companies' ids ('' is the platform); an owner's active one first. */
export async function readCertificatesOf(
  client: Queryable,
  owners: readonly string[],
): Promise<Map<string, StoredCertificate[]>> {
  const text = `select ${COLUMNS} from client_certificate c where c.company_id = any ($1) or (c.company_id is null and $2)
    order by c.active desc, c.uploaded_at desc, c.id`;
  const rows = await readRows(client, storedCertificate, text, [owners, owners.includes('')]);
  return Map.groupBy(rows, ({ companyId }) => companyId ?? '');
}

/** Certificates by their ids. */
export function readCertificatesById(
  client: Queryable,
  keys: readonly RowKey[],
): Promise<Map<string, StoredCertificate>> {
  const text = `select ${COLUMNS} from client_certificate c where c.id = wanted.id`;
  return readRowOfEach(client, storedCertificate, text, keys);
}

/** The active certificates, including expired ones, the earliest expiry first. */
export async function activeCertificates(client: Queryable): Promise<SealedCertificate[]> {
  const rows = await readRows(
    client,
    sealedCertificate,
    `select ${WITH_SECRET} from client_certificate c where c.active order by c.valid_to, c.id`,
  );
  return rows;
}

/**
 * Companies' own certificates that expire before then and have no event yet in the journals of their live
 * environments.
 */
export async function unreportedExpiring(
  client: Queryable,
  before: Date,
): Promise<{ readonly environmentId: number; readonly certificate: StoredCertificate }[]> {
  const rows = await readRows(
    client,
    certificateInUse,
    `select e.id as "environmentId", ${COLUMNS} from client_certificate c
       join environment e on e.company_id = c.company_id and e.kind = 'live'
      where c.active and c.valid_to <= $1
      order by e.id, c.id`,
    [before],
  );
  const told = `select 1 from journal_entry where environment_id = $1 and subject_id = $2 and type = 'certificate.expiring'`;
  const unreported: { readonly environmentId: number; readonly certificate: StoredCertificate }[] = [];
  for (const { environmentId, ...certificate } of rows) {
    const reported = await execute(client, told, [environmentId, certificate.id]);
    if (reported === 0) unreported.push({ environmentId, certificate });
  }
  return unreported;
}

/** One certificate with its secret, locked against concurrent changes. */
export async function lockCertificate(client: Queryable, id: string): Promise<SealedCertificate | null> {
  const rows = await readRows(
    client,
    sealedCertificate,
    `select ${WITH_SECRET} from client_certificate c where c.id = $1 for update`,
    [id],
  );
  return rows[0] ?? null;
}

/** Serializes changes of which certificate is active; readers are not blocked. */
export async function lockForChange(client: Queryable): Promise<void> {
  await execute(client, 'lock table client_certificate in share row exclusive mode');
}

const company = z.object({ nif: z.string() });

/** The NIF of a company; null when there is none of that id. */
export async function companyNifOf(client: Queryable, companyId: string): Promise<string | null> {
  const found = await readRow(client, company, 'select nif from company where id = $1', [companyId]);
  return found?.nif ?? null;
}

export async function insertCertificate(client: Queryable, row: SealedCertificate): Promise<void> {
  await execute(
    client,
    `insert into client_certificate (id, company_id, kind, holder_nif, holder_name, valid_from, valid_to, fingerprint,
       active, key_name, sealed, uploaded_by, uploaded_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      row.id,
      row.companyId,
      row.kind,
      row.holderNif,
      row.holderName,
      row.validFrom,
      row.validTo,
      row.fingerprint,
      row.active,
      row.keyName,
      row.sealed,
      row.uploadedBy,
      row.uploadedAt,
    ],
  );
}

/** Deactivates the owner's active certificate, if there is one. */
export async function deactivate(client: Queryable, companyId: string | null): Promise<void> {
  await execute(
    client,
    'update client_certificate set active = false where active and company_id is not distinct from $1',
    [companyId],
  );
}

export async function activate(client: Queryable, id: string): Promise<void> {
  await execute(client, 'update client_certificate set active = true where id = $1', [id]);
}

/** The same certificate of the same owner, uploaded before. */
export async function deleteEarlier(
  client: Queryable,
  companyId: string | null,
  fingerprint: string,
): Promise<void> {
  await execute(
    client,
    'delete from client_certificate where company_id is not distinct from $1 and fingerprint = $2',
    [companyId, fingerprint],
  );
}

export async function deleteCertificate(client: Queryable, id: string): Promise<void> {
  await execute(client, 'delete from client_certificate where id = $1', [id]);
}

const identified = z.object({ id: z.string() });

/** The ids of certificates encrypted with another key than this one. */
export async function idsUnderOtherKeys(client: Queryable, keyName: string): Promise<string[]> {
  const rows = await readRows(
    client,
    identified,
    'select id from client_certificate where key_name <> $1 order by id',
    [keyName],
  );
  return rows.map(({ id }) => id);
}

export async function replaceSecret(client: Queryable, id: string, secret: Sealed): Promise<void> {
  await execute(client, 'update client_certificate set key_name = $2, sealed = $3 where id = $1', [
    id,
    secret.keyName,
    secret.sealed,
  ]);
}
