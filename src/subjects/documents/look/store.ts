import type { Queryable } from '../../../ground/db/queryable.ts';
import { append } from '../../../ground/journal/append.ts';
import { sha256 } from '../../../ground/journal/canonical.ts';
import { INSTALLATION } from '../../../ground/journal/entry.ts';
import { COMPANY_LOOK, type Row, rowText, selectList } from '../../../ground/journal/forms.ts';
import type { IssuerSnapshot } from '../../invoices/rows.ts';
import { DEFAULT_LOOK, type Look } from '../content.ts';

type LookRow = Pick<Look, 'id' | 'language' | 'accentColour'> & {
  readonly logoType: NonNullable<Look['logo']>['type'] | null;
  readonly logo: Buffer;
  readonly width: number;
  readonly height: number;
};

/** The look of a company now; null when there is no such company. */
export async function readLook(client: Queryable, companyId: string): Promise<Look | null> {
  const { rows } = await client.query<LookRow>(
    `select l.id, l.language, l.accent_colour as "accentColour", l.logo_type as "logoType", l.logo,
       l.logo_width as width, l.logo_height as height
     from company c left join company_look l on l.company_id = c.id
     where c.id = $1 order by l.id desc limit 1`,
    [companyId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row.id === null) return DEFAULT_LOOK;
  const { id, language, accentColour, logoType: type, logo: bytes, width, height } = row;
  return { id, language, accentColour, logo: type === null ? null : { type, bytes, width, height } };
}

/** Of two who change a look at once the second starts from what the first has set. */
export async function lockCompany(client: Queryable, companyId: string): Promise<void> {
  await client.query('select from company where id = $1 for no key update', [companyId]);
}

/** Adds a look, which is the company's from now on; gives it with its number. */
export async function addLook(client: Queryable, companyId: string, look: Omit<Look, 'id'>): Promise<Look> {
  const { language, accentColour, logo } = look;
  const { rows } = await client.query<Row & { id: number; created_at: Date }>(
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
  const row = rows[0]!;
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

/** The company as its next invoice names it; null when there is no such company. */
export async function readIssuer(client: Queryable, companyId: string): Promise<IssuerSnapshot | null> {
  const { rows } = await client.query<IssuerSnapshot>(
    `select nif, legal_name as "legalName", address_line1 as line1, address_line2 as line2,
       address_postal_code as "postalCode", address_city as city, address_country as country
     from company where id = $1`,
    [companyId],
  );
  return rows[0] ?? null;
}
