import { createWriteStream, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Writes an archive at once, with the same bytes for the same files. */
export async function writeZip(file: string, files: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files))
    zip.addBuffer(Buffer.from(text), name, { mtime: new Date('2020-01-01T12:00:00Z'), mode: 0o100644 });
  zip.end();
  const unfinished = `${file}.${process.pid}`;
  await pipeline(zip.outputStream, createWriteStream(unfinished));
  renameSync(unfinished, file);
}
