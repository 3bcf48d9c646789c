import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Db } from '../../ground/db/client.ts';
import { openSnapshot } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { exportRecords } from '../chain/export-records.ts';
import { type Documents, documentFor } from '../documents/document.ts';
import { ZipWriting } from '../formats/export/zip-writing.ts';
import { actOnCompany, noCompany } from './act-on-company.ts';
import { readmeOf } from './readme.ts';
import {
  ARCHIVED,
  type ArchivedTable,
  environmentsToArchive,
  linesOf,
  type NumberedInvoice,
  pageOfInvoices,
  settingsOf,
} from './store/rows.ts';

/** The archive of a company: what it is called, and the bytes of the ZIP file, made while they are read. */
export type Archive = {
  readonly filename: string;
  readonly zip: Readable;
  /** Resolves when nothing is made for it any more, also when nobody reads it to its end. */
  readonly settled: Promise<void>;
};

type Manner = {
  readonly onProgress?: (documents: number) => void;
  /** Makes one document when it is its turn. */
  readonly inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
};

/** The last file of an archive: the SHA-256 of each other one, as `sha256sum --check` reads it. */
const SUMS = 'SHA256SUMS';
const PAGE = 200;
/** All records: none is earlier, and the clock of a test environment may be ahead by years. */
const ALL_DAYS = { from: '2020-01-01', to: '2199-12-31' };

/** Records who takes out everything of a company, and why, before it is made. Refuses as `actOnCompany` does. */
export function noteExport(db: Pick<Db, 'pool'>, by: ActorAndReason, companyId: string) {
  return actOnCompany(db, by, companyId, 'export_company', async () => true);
}

/**
 * Everything of a company in one ZIP file, in constant memory: of each environment the rows of its tables as JSON lines, the sealed
 * records, and the document of each invoice; its settings; README.txt, which says what is what; and checksums. Secrets, and what is
 * derived of other rows, are left out (`NOT_ARCHIVED`). Rows are as of one instant for each environment. A failure aborts the stream, so
 * that an incomplete file cannot be opened. Refuses an unknown company with 400 `invalid_request` (`not_found`).
 */
export async function exportCompany(
  services: Documents,
  companyId: string,
  { onProgress = () => {}, inTurn = (work) => work() }: Manner = {},
): Promise<Outcome<Archive>> {
  const settings = await settingsOf(services.db.pool, companyId);
  if (settings === null) return noCompany();
  const writing = new ZipWriting(SUMS);
  const filling = { services, companyId, writing: new Summed(writing), onProgress, inTurn };
  const settled = fill(filling, settings).catch((error: Error) => {
    writing.out.destroy(error);
  });
  return { filename: `${companyId}.zip`, zip: writing.out, settled };
}

type Filling = Required<Manner> & {
  readonly services: Documents;
  readonly companyId: string;
  readonly writing: Summed;
};

async function fill({ companyId, ...filling }: Filling, settings: object): Promise<void> {
  const { services, writing } = filling;
  await writing.add('README.txt', [readmeOf(companyId, clock.now())]);
  await writing.add('settings.json', [`${JSON.stringify(settings, null, 2)}\n`]);
  let documents = 0;
  const onDocument = () => {
    documents += 1;
    filling.onProgress(documents);
  };
  for (const { id, kind } of await environmentsToArchive(services.db.pool, companyId)) {
    await addRows(filling, id, kind);
    const records = exportRecords(services.db.pool, { environmentId: id, ...ALL_DAYS });
    await writing.add(`${kind}/records.xml`, records);
    await addDocuments(filling, id, kind, onDocument);
  }
  await writing.end();
}

type Writing = Omit<Filling, 'companyId'>;

async function addRows({ services, writing }: Writing, environmentId: number, kind: string): Promise<void> {
  const { client, close } = await openSnapshot(services.db.pool);
  try {
    for (const table of Object.keys(ARCHIVED) as ArchivedTable[]) {
      await writing.add(`${kind}/rows/${table}.jsonl`, linesOf(client, environmentId, table));
    }
  } finally {
    await close();
  }
}

async function addDocuments(
  { services, writing, inTurn }: Writing,
  environmentId: number,
  kind: string,
  onDocument: () => void,
): Promise<void> {
  let last: NumberedInvoice | null = null;
  do {
    const page: NumberedInvoice[] = await pageOfInvoices(services.db.pool, environmentId, last, PAGE);
    for (const { id, number, issuedAt } of page) {
      const document = await inTurn(() => documentFor(services, environmentId, id, { urgent: false }));
      // A temporary refusal: a file without the document would look complete.
      if (isRefusal(document)) throw new Error(`${number}: ${document.detail}`);
      await writing.add(`${kind}/documents/${fileName(number)}.pdf`, [document.bytes], issuedAt);
      onDocument();
    }
    last = page.length < PAGE ? null : page.at(-1)!;
  } while (last !== null);
}

const fileName = (number: string): string => number.replace(/[^A-Za-z0-9._-]/g, '_');

/** A ZIP file whose last entry has the checksums of the others. */
class Summed {
  readonly #zip: ZipWriting;
  readonly #sums: string[] = [];

  constructor(zip: ZipWriting) {
    this.#zip = zip;
  }

  async add(
    requestedName: string,
    content: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
    at: Date = clock.now(),
  ): Promise<void> {
    this.#zip.requireReader();
    const hash = createHash('sha256');
    const bytes = Readable.from(hashed(content, hash), { objectMode: false });
    const name = await this.#zip.addStream(requestedName, bytes, at);
    this.#sums.push(`${hash.digest('hex')}  ${name}\n`);
  }

  end(): Promise<void> {
    return this.#zip.end(Buffer.from(this.#sums.join('')));
  }
}

async function* hashed(
  content: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const part of content) {
    const bytes = Buffer.from(part);
    hash.update(bytes);
    yield bytes;
  }
}
