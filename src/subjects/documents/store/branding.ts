import { z } from 'zod';
import { DocumentLanguage, LogoType } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRow } from '../../../ground/db/rows.ts';
import { append } from '../../../ground/journal/append.ts';
import { sha256 } from '../../../ground/journal/canonical.ts';
import { INSTALLATION } from '../../../ground/journal/entry.ts';
import { COMPANY_LOOK, rowText, selectList } from '../../../ground/journal/forms.ts';
import type { IssuerSnapshot } from '../../invoices/rows.ts';
import type { Branding } from '../branding/branding.ts';
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

/** Of `branding`, a row of `company_look` or none. */
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

/** The branding of a company now; null when there is no such company. */
export async function readBranding(client: Queryable, companyId: string): Promise<Branding | null> {
  const row = await readRow(
    client,
    brandingColumns,
    `select ${BRANDING_COLUMNS} from company left join company_look branding on branding.company_id = company.id
      where company.id = $1 order by branding.id desc limit 1`,
    [companyId],
  );
  return row === null ? null : brandingOf(row);
}

/** Locks the company, so that of two concurrent changes the second is based on the first. */
export async function lockCompany(client: Queryable, companyId: string): Promise<void> {
  await execute(client, 'select from company where id = $1 for no key update', [companyId]);
}

/** With everything that the journal hashes. */
const added = z.looseObject({ id: column.whole, created_at: column.instant });

/** Inserts a branding, which becomes the company's current one, and returns it with its number. */
export async function addBranding(
  client: Queryable,
  companyId: string,
  branding: Omit<Branding, 'id'>,
): Promise<Branding> {
  const { language, accentColour, logo } = branding;
  const row = await readOneRow(
    client,
    added,
    `insert into company_look (company_id, language, accent_colour, logo_type, logo, logo_width, logo_height)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${selectList('company_look', COMPANY_LOOK)}`,
    [
      companyId,
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
        environmentId: INSTALLATION,
        type: 'company_look.added',
        subjectId: `${row.id}`,
        at: row.created_at,
      },
      contentHash: sha256(rowText(COMPANY_LOOK, row)),
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

/** The company as its next invoice will state it; null when there is no such company. */
export function readIssuer(client: Queryable, companyId: string): Promise<IssuerSnapshot | null> {
  return readRow(
    client,
    issuer,
    `select nif, legal_name as "legalName", address_line1 as line1, address_line2 as line2,
       address_postal_code as "postalCode", address_city as city, address_country as country
     from company where id = $1`,
    [companyId],
  );
}
