import { z } from 'zod';
import { DocumentLanguage, LogoType } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRow } from '../../../ground/db/rows.ts';
import { append } from '../../../ground/journal/append.ts';
import { sha256 } from '../../../ground/journal/canonical.ts';
import { INSTALLATION } from '../../../ground/journal/entry.ts';
import { COMPANY_LOOK, rowText, selectList } from '../../../ground/journal/forms.ts';
import type { IssuerSnapshot } from '../../invoices/rows.ts';
import type { Look } from '../look/look.ts';
import { DEFAULT_LOOK } from '../look/look.ts';

/** `COLUMNS` of a look, all null where there is none. */
export const lookColumns = z.object({
  lookId: column.whole.nullable(),
  language: z.enum(DocumentLanguage).nullable(),
  accentColour: z.string().nullable(),
  logoType: z.enum(LogoType).nullable(),
  logo: column.bytes.nullable(),
  logoWidth: z.number().nullable(),
  logoHeight: z.number().nullable(),
});

/** Of `look`, a row of `company_look` or none. */
export const LOOK_COLUMNS = `look.id as "lookId", look.language, look.accent_colour as "accentColour",
    look.logo_type as "logoType", look.logo, look.logo_width as "logoWidth", look.logo_height as "logoHeight"`;

/** The look that a row has, or our own. */
export function lookOf(row: z.infer<typeof lookColumns>): Look {
  const { lookId, language, accentColour, logoType: type, logo: bytes, logoWidth, logoHeight } = row;
  if (lookId === null || language === null) return DEFAULT_LOOK;
  const pictured = type !== null && bytes !== null && logoWidth !== null && logoHeight !== null;
  const logo = pictured ? { type, bytes, width: logoWidth, height: logoHeight } : null;
  return { id: lookId, language, accentColour, logo };
}

/** The look of a company now; null when there is no such company. */
export async function readLook(client: Queryable, companyId: string): Promise<Look | null> {
  const row = await readRow(
    client,
    lookColumns,
    `select ${LOOK_COLUMNS} from company left join company_look look on look.company_id = company.id
      where company.id = $1 order by look.id desc limit 1`,
    [companyId],
  );
  return row === null ? null : lookOf(row);
}

/** Of two who change a look at once the second starts from what the first has set. */
export async function lockCompany(client: Queryable, companyId: string): Promise<void> {
  await execute(client, 'select from company where id = $1 for no key update', [companyId]);
}

/** With all that the journal keeps the hash of. */
const added = z.looseObject({ id: column.whole, created_at: column.instant });

/** Adds a look, which is the company's from now on; gives it with its number. */
export async function addLook(client: Queryable, companyId: string, look: Omit<Look, 'id'>): Promise<Look> {
  const { language, accentColour, logo } = look;
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
  return { ...look, id: row.id };
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

/** The company as its next invoice names it; null when there is no such company. */
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
