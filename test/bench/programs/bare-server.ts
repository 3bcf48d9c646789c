import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { downloadUrl, PDF_LINK_SECONDS, signDownload } from '../../../src/subjects/documents/links.ts';

/** What the server must know to answer as the service does. */
export type BareServer = {
  readonly databaseUrl: string;
  readonly connections: number;
  readonly baseUrl: string;
  readonly qrBase: string;
  readonly linkSecret: string;
};

/**
 * The measure for reading: node:http, pg and hand-written SQL, nothing between. One prepared query looks up the key
 * by its hash, the invoices, and all that hangs from them; JavaScript names the fields.
 */
const plan = await new Promise<BareServer>((given) =>
  process.once('message', (message) => given(message as BareServer)),
);
const secret = Buffer.from(plan.linkSecret);

const SELECTED = `
  i.id, i.environment_id, i.number, i.currency, i.subtotal::float8, i.tax::float8, i.total::float8, i.issued_at,
  i.issued_on::text, i.operation_on::text, i.type, i.kind, i.series_id, i.external_id, i.external_customer_id,
  i.recipient_name, i.recipient_company_name, i.recipient_tax_id, i.recipient_tax_id_type, i.recipient_tax_id_country,
  i.recipient_email, i.recipient_line1, i.recipient_line2, i.recipient_postal_code, i.recipient_city,
  i.recipient_country, i.issuer ->> 'nif' as nif, i.rectifies_id, i.external_number, i.external_issued_on::text,
  exists (select from invoice_void v where v.environment_id = i.environment_id and v.invoice_id = i.id) as voided,
  (select json_agg(json_build_array(l.id, l.description, l.sku, l.quantity, l.unit_amount, l.subtotal, l.tax, l.total,
     (select json_agg(json_build_array(t.name, t.type, t.rate_basis_points, t.amount) order by t.position)
        from tax_item t where t.environment_id = l.environment_id and t.invoice_id = l.invoice_id
         and t.line_position = l.position)) order by l.position)
     from invoice_line l where l.environment_id = i.environment_id and l.invoice_id = i.id) as lines,
  (select json_agg(json_build_array(r.fingerprint, s.status, s.error_code, s.error_message) order by r.position)
     from registration_record r join record_state s on s.environment_id = r.environment_id and s.record_id = r.id
    where r.environment_id = i.environment_id and r.invoice_id = i.id and r.kind = 'registration') as records,
  (select json_agg(json_build_object('invoice_id', c.id) order by c.issued_at, c.id) from invoice c
    where c.environment_id = i.environment_id and c.rectifies_id = i.id and not exists (
      select from invoice_void v where v.environment_id = c.environment_id and v.invoice_id = c.id)) as rectified_by`;

const CALLER = `from api_key k left join lateral`;
const ONE = `select k.id as key_id, invoice.* ${CALLER} (
  select ${SELECTED} from invoice i where i.environment_id = k.environment_id and i.id = $2
) as invoice on true where k.hash = $1 and k.revoked_at is null`;
const LIST = `select k.id as key_id, invoice.* ${CALLER} (
  select ${SELECTED} from invoice i where i.environment_id = k.environment_id
   order by i.issued_at desc, i.id desc limit $2
) as invoice on true where k.hash = $1 and k.revoked_at is null`;

type Line = [string, string, string | null, number, number, number, number, number, TaxItem[] | null];
type TaxItem = [name: string, type: string, rate: number, amount: number];
// biome-ignore lint/suspicious/noExplicitAny: rows as they come, as one writes such a server by hand
type Row = Record<string, any>;

const pool = new pg.Pool({ connectionString: plan.databaseUrl, max: plan.connections });

const server = createServer(async (request, response) => {
  const send = (status: number, body: unknown) => {
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  };
  const key = /^Bearer (sk_(?:test|live)_\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const hash = createHash('sha256')
    .update(key ?? '')
    .digest();
  const url = new URL(request.url ?? '', 'http://localhost');
  const id = /^\/v1\/invoices\/(\w+)$/.exec(url.pathname)?.[1];
  if (id !== undefined) {
    const { rows } = await pool.query<Row>({ name: 'one', text: ONE, values: [hash, id] });
    if (rows.length === 0) send(401, { code: 'unauthorized' });
    else if (rows[0]!['id'] === null) send(404, { code: 'invoice_not_found' });
    else send(200, bodyOf(rows[0]!));
    return;
  }
  const limit = Number(url.searchParams.get('limit') ?? 25);
  const { rows } = await pool.query<Row>({ name: 'list', text: LIST, values: [hash, limit + 1] });
  if (rows.length === 0) return send(401, { code: 'unauthorized' });
  const found = rows.filter((row) => row['id'] !== null);
  const data = found.slice(0, limit).map(bodyOf);
  const cursor = found.length > limit ? data.at(-1)!.id : null;
  const nextUrl = cursor === null ? null : `/v1/invoices?limit=${limit}&starting_after=${cursor}`;
  send(200, { data, has_more: cursor !== null, next_cursor: cursor, next_url: nextUrl });
});

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one literal
function bodyOf(row: Row) {
  const issuedAt = row['issued_at'].toISOString();
  const lines: Line[] = row['lines'];
  const [hash, ,] = row['records'][0];
  const [, status, code, message] = row['records'].at(-1);
  const [year, month, day] = row['issued_on'].split('-');
  const amount = (row['total'] / 100).toFixed(2);
  const address = {
    line1: row['recipient_line1'],
    line2: row['recipient_line2'],
    postal_code: row['recipient_postal_code'],
    city: row['recipient_city'],
    country: row['recipient_country'],
  };
  return {
    id: row['id'],
    status: row['voided'] ? 'voided' : 'issued',
    number: row['number'],
    currency: row['currency'],
    subtotal: row['subtotal'],
    tax: row['tax'],
    total: row['total'],
    recipient_name: row['recipient_company_name'] ?? row['recipient_name'],
    recipient_tax_id: row['recipient_tax_id'],
    email: row['recipient_email'],
    external_customer_id: row['external_customer_id'],
    external_id: row['external_id'],
    invoice_date: issuedAt,
    operation_date: row['operation_on'] ?? issuedAt,
    created_at: issuedAt,
    type: row['type'],
    number_series_id: row['series_id'],
    recipient: {
      name: row['recipient_name'],
      company_name: row['recipient_company_name'],
      tax_id: row['recipient_tax_id'],
      tax_id_type: row['recipient_tax_id_type'],
      tax_id_country: row['recipient_tax_id_country'],
      email: row['recipient_email'],
      address: Object.values(address).every((value) => value === null) ? null : address,
    },
    pdf_url: downloadUrl(plan.baseUrl, row['id'], tokenOf(row)),
    verifactu: {
      status,
      hash,
      qr_url: `${plan.qrBase}?nif=${row['nif']}&numserie=${encodeURIComponent(row['number'])}&fecha=${day}-${month}-${year}&importe=${amount}`,
      error: code === null && message === null ? null : { code, message },
    },
    line_items: lines.map(([id, description, sku, quantity, unitAmount, subtotal, tax, total, taxItems]) => ({
      id,
      description,
      sku,
      quantity,
      unit_amount: unitAmount,
      subtotal,
      tax,
      total,
      tax_items: (taxItems ?? []).map(([name, type, rate, amount]) => ({
        name,
        type,
        rate: rate / 100,
        amount,
      })),
    })),
    kind: row['kind'],
    rectifies: rectifiedOf(row),
    rectified_by: row['rectified_by'] ?? [],
  };
}

function rectifiedOf(row: Row) {
  if (row['rectifies_id'] !== null) return [{ invoice_id: row['rectifies_id'] }];
  if (row['external_number'] === null) return [];
  return [{ external: { number: row['external_number'], issued_on: row['external_issued_on'] } }];
}

function tokenOf(row: Row): string {
  const expiresAt = new Date(Date.now() + PDF_LINK_SECONDS * 1_000);
  return signDownload({ secret, environmentId: row['environment_id'], invoiceId: row['id'], expiresAt });
}

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit());
