import { promisify } from 'node:util';
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl';
import { DOCUMENTS } from '../limits.ts';
import { type Budget, ReadingError } from '../reading-error.ts';

const open = promisify<Buffer, Options, ZipFile>(fromBuffer);

/** A file in a container. */
export type ContainedFile = { readonly name: string; readonly bytes: Buffer };

/** Names of files in a ZIP file that may be invoices. */
const READABLE = /\.(xml|xsig|pdf)$/i;

/**
 * The invoices in a ZIP file, in its order. Each is inflated only within the budget, whatever size its header
 * states; folders, other files and nested archives are skipped.
 */
export async function filesOfZip(bytes: Buffer, budget: Budget): Promise<ContainedFile[]> {
  const zip = await open(bytes, { lazyEntries: true }).catch(damaged);
  const files: ContainedFile[] = [];
  const max = DOCUMENTS;
  if (zip.entryCount > max * max) throw new ReadingError('too_big', 'holds more files than are read');
  for await (const entry of entriesOf(zip)) {
    if (!READABLE.test(entry.fileName)) continue;
    if (files.length === max) throw new ReadingError('too_big', `holds more than ${max} documents`);
    files.push({ name: entry.fileName, bytes: await unpacked(zip, entry, budget) });
  }
  return files;
}

function damaged(error: Error): never {
  throw new ReadingError('invalid_format', `is a damaged ZIP file: ${error.message}`);
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const next = await new Promise<Entry | null>((resolve, reject) => {
      zip.once('entry', resolve);
      zip.once('end', () => resolve(null));
      zip.once('error', reject);
      zip.readEntry();
    }).catch(damaged);
    zip.removeAllListeners();
    if (next === null) return;
    yield next;
  }
}

async function unpacked(zip: ZipFile, entry: Entry, budget: Budget): Promise<Buffer> {
  const stream = await promisify(
    zip.openReadStream.bind(zip) as (
      entry: Entry,
      then: (error: Error | null, stream: NodeJS.ReadableStream) => void,
    ) => void,
  )(entry).catch(damaged);
  const parts: Buffer[] = [];
  try {
    for await (const part of stream) {
      budget.take(part.length);
      parts.push(part as Buffer);
    }
  } catch (error) {
    if (error instanceof ReadingError) throw error;
    damaged(error as Error);
  }
  return Buffer.concat(parts);
}
