import { z } from 'zod';
import { DocumentLanguage, LogoType } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRow } from '../../../ground/db/rows.ts';
import { append } from '../../../ground/journal/append.ts';
import { sha256 } from '../../../ground/journal/canonical.ts';
import { auditJournalOf } from '../../../ground/journal/entry.ts';
import { BRANDING, rowText, selectList } from '../../../ground/journal/forms.ts';
import type { IssuerSnapshot } from '../../invoices/rows.ts';
import type { Branding, Look } from '../branding/branding.ts';
import { DEFAULT_BRANDING } from '../branding/branding.ts';

/** The `COLUMNS` of a branding, all null when there is none. */
export const brandingColumns = z.object({
  lookId: column.whole.nullable(),
  language: z.enum(DocumentLanguage).nullable(),
  accentColour: z.string().nullable(),
  logoType: z.enum(LogoType).nullable(),
  logo: column.bytes.nullable(),
  logoWidth: z.number().nullable(),
  logoHeight: z.number().nullable(),
});

/** Of a row of `branding` or none. */
export const BRANDING_COLUMNS = `branding.id as "lookId", branding.language, branding.accent_colour as "accentColour",
    branding.logo_type as "logoType", branding.logo, branding.logo_width as "logoWidth", branding.logo_height as "logoHeight"`;

/** The branding in a row, or the default. */
export function brandingOf(row: z.infer<typeof brandingColumns>): Branding {
  const { lookId, language, accentColour, logoType: type, logo: bytes, logoWidth, logoHeight } = row;
  if (lookId === null || language === null) return DEFAULT_BRANDING;
  const pictured = type !== null && bytes !== null && logoWidth !== null && logoHeight !== null;
  const logo = pictured ? { type, bytes, width: logoWidth, height: logoHeight } : null;
  return { id: lookId, language, accentColour, logo };
}

/** The branding of an environment now; null when there is no such environment. */
export async function readBranding(client: Queryable, environmentId: number): Promise<Branding | null> {
  const row = await readRow(
    client,
    brandingColumns,
    `select ${BRANDING_COLUMNS} from environment left join branding on branding.environment_id = environment.id
      where environment.id = $1 order by branding.id desc limit 1`,
    [environmentId],
  );
  return row === null ? null : brandingOf(row);
}

const look = z.object({
  lookId: column.whole.nullable(),
  accentColour: z.string().nullable(),
  logoType: z.enum(LogoType).nullable(),
  logoWidth: z.number().nullable(),
  logoHeight: z.number().nullable(),
});

/** What pages show of an environment's branding now, without the bytes of its logo. */
export async function readLook(client: Queryable, environmentId: number): Promise<Look> {
  const row = await readRow(
    client,
    look,
    `select id as "lookId", accent_colour as "accentColour", logo_type as "logoType", logo_width as "logoWidth",
        logo_height as "logoHeight" from branding where environment_id = $1 order by id desc limit 1`,
    [environmentId],
  );
  const {
    lookId: id = null,
    accentColour = null,
    logoType: type,
    logoWidth: width,
    logoHeight: height,
  } = row ?? {};
  return { id, accentColour, logo: type && width && height ? { type, width, height } : null };
}

/** Locks the environment, so that of two concurrent changes the second is based on the first. */
export async function lockEnvironment(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, 'select 1 from environment where id = $1 for no key update', [environmentId]);
}

/** With everything that the journal hashes. */
const added = z.looseObject({ id: column.whole, created_at: column.instant });

/** Inserts a branding, which becomes the environment's current one, and returns it with its number. */
export async function addBranding(
  client: Queryable,
  environmentId: number,
  branding: Omit<Branding, 'id'>,
): Promise<Branding> {
  const { language, accentColour, logo } = branding;
  const row = await readOneRow(
    client,
    added,
    `insert into branding (environment_id, language, accent_colour, logo_type, logo, logo_width, logo_height)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${selectList('branding', BRANDING)}`,
    [
      environmentId,
      language,
      accentColour,
      logo?.type ?? null,
      logo?.bytes ?? null,
      logo?.width ?? null,
      logo?.height ?? null,
    ],
  );
  await append(client, [
    {
      ...{
        environmentId: auditJournalOf(environmentId),
        type: 'branding.added',
        subjectId: `${row.id}`,
        at: row.created_at,
      },
      contentHash: sha256(rowText(BRANDING, row)),
    },
  ]);
  return { ...branding, id: row.id };
}

const issuer = z.object({
  nif: z.string(),
  legalName: z.string(),
  line1: z.string(),
  line2: z.string().nullable(),
  postalCode: z.string(),
  city: z.string(),
  country: z.string(),
});

/** The company of an environment as its next invoice will state it; null when there is no such environment. */
export function readIssuer(client: Queryable, environmentId: number): Promise<IssuerSnapshot | null> {
  return readRow(
    client,
    issuer,
    `select nif, legal_name as "legalName", address_line1 as line1, address_line2 as line2,
       address_postal_code as "postalCode", address_city as city, address_country as country
     from company where id = (select company_id from environment where id = $1)`,
    [environmentId],
  );
}
