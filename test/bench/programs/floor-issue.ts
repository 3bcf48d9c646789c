import { createHash } from 'node:crypto';
import pg from 'pg';
import { newId } from '../../../src/ground/lib/ids.ts';
import { DONE, drive, type Pace } from '../drive.ts';
import {
  type FloorCompany,
  type Fresh,
  TAKE,
  type Taken,
  type Template,
  writeStatement,
} from '../floor-statement.ts';

/** Where the raw loop writes, for whom and what. Companies are taken in turn by all connections together. */
export type FloorIssue = Pace & {
  readonly databaseUrl: string;
  readonly companies: readonly FloorCompany[];
  readonly template: Template;
};

function freshInvoice(company: FloorCompany, taken: Taken, year: number, xml: readonly string[]): Fresh {
  const at = new Date().toISOString();
  const invoiceId = newId('inv');
  const number = `F-${year}-${taken.number}`;
  const previous = taken.last_fingerprint ?? '';
  const fingerprint = createHash('sha256')
    .update(
      `IDEmisorFactura=B72877814&NumSerieFactura=${number}&Huella=${previous}&FechaHoraHusoGenRegistro=${at}`,
    )
    .digest('hex')
    .toUpperCase();
  return {
    company,
    taken,
    invoiceId,
    recordId: newId('rec'),
    number,
    at,
    day: at.slice(0, 10),
    fingerprint,
    xml: xml.join(fingerprint),
  };
}

/**
 * What the database can do with the same writes, one commit an invoice: no HTTP, no rules, no pricing, no documents of
 * the law; only the lock, the number, the fingerprint and the rows. Statements are prepared and pipelined, so a
 * transaction is two waits: begin, lock and number; rows and commit.
 */
await drive<FloorIssue>(async ({ connections, databaseUrl, companies, template }) => {
  const clients = Array.from(
    { length: connections },
    () => new pg.Client({ connectionString: databaseUrl, pipeline: true }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  const year = Number(template.invoice['series_year']);
  const write = writeStatement(template);
  let next = 0;

  const issue = async (client: pg.Client, company: FloorCompany): Promise<void> => {
    const { environmentId, chainId, seriesId } = company;
    const begun = client.query('begin');
    const take = { name: 'take', text: TAKE, values: [environmentId, chainId, seriesId, year] };
    const [, { rows }] = await Promise.all([begun, client.query<Taken>(take)]);
    const fresh = freshInvoice(company, rows[0]!, year, template.xml);
    const written = client.query({ name: 'write', text: write.text, values: write.values(fresh) });
    // After a statement that failed, Postgres turns the commit into a rollback.
    await Promise.all([written, client.query('commit')]);
  };

  return {
    async step(connection) {
      try {
        await issue(clients[connection]!, companies[next++ % companies.length]!);
        return DONE;
      } catch (error) {
        return String(error);
      }
    },
    async end() {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
});
