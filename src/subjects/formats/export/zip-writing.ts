import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** The date of files without one: the earliest that ZIP can represent. */
const NO_DAY = new Date(1980, 0, 1);

/**
 * Adds files one by one to a ZIP file that is read meanwhile. Of each only name, size and checksum stay in memory.
 */
export class ZipWriting {
  readonly #zip = new ZipFile();
  readonly #names: Set<string>;
  /** The bytes of the file. A failure aborts the stream before its end. */
  readonly out = this.#zip.outputStream as Readable;

  readonly #reserved: string;

  /** `reserved` is the name of the last file, which no other file gets. */
  constructor(reserved: string) {
    this.#reserved = reserved;
    this.#names = new Set([reserved]);
    this.#zip.on('error', (error: Error) => this.out.destroy(error));
  }

  /** Resolves once the file was read. Duplicate names are made unique. Throws when the reader is gone. */
  add(requestedName: string, bytes: Buffer, at: Date): Promise<string> {
    return this.addStream(requestedName, Readable.from([bytes]), at);
  }

  /** The same for a file that is made while it is read. */
  async addStream(requestedName: string, content: Readable, at: Date): Promise<string> {
    const name = this.#free(requestedName);
    await this.#put(name, content, at);
    return name;
  }

  /** Adds the file of the reserved name, and ends the ZIP file. */
  async end(bytes: Buffer): Promise<void> {
    await this.#put(this.#reserved, Readable.from([bytes]), null);
    this.#zip.end();
  }

  async #put(name: string, content: Readable, at: Date | null): Promise<void> {
    const isPdf = name.endsWith('.pdf');
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        content.destroy();
        reject(new Error('nobody reads the export any more'));
      };
      if (this.out.destroyed) return abort();
      this.out.once('close', abort);
      content.once('error', reject);
      content.once('end', () => {
        this.out.off('close', abort);
        resolve();
      });
      // The content of a PDF is compressed already.
      const options = { mtime: at ?? NO_DAY, compress: !isPdf };
      outsideOfPool(() => this.#zip.addReadStreamLazy(name, options, oneStream(content)));
      return undefined;
    });
  }

  /** Throws when the reader is gone. */
  requireReader(): void {
    if (this.out.destroyed) throw new Error('nobody reads the export any more');
  }

  #free(requestedName: string): string {
    let name = requestedName;
    // Within its folder.
    const at = requestedName.lastIndexOf('/') + 1;
    const [folder, file] = [requestedName.slice(0, at), requestedName.slice(at)];
    for (let n = 2; this.#names.has(name.toLowerCase()); n += 1) name = `${folder}${n}-${file}`;
    this.#names.add(name.toLowerCase());
    return name;
  }
}

/**
 * Runs `work`, which must be synchronous, so that small buffers that it creates are not slices of Node's pool. The
 * ZIP writer keeps the name of each file until its end; as a slice of the pool it would keep 64 KiB, including
 * other documents, in memory.
 */
function outsideOfPool(work: () => void): void {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    work();
  } finally {
    Buffer.poolSize = poolSize;
  }
}

/** Returns a file's content once and releases it: the ZIP writer keeps the source object until its end. */
function oneStream(content: Readable): (then: (error: unknown, content: Readable) => void) => void {
  let unused: Readable | null = content;
  return (then) => {
    const stream = unused!;
    unused = null;
    then(null, stream);
  };
}
