import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** What stands in the file without a day of its own: the earliest that ZIP knows. */
const NO_DAY = new Date(1980, 0, 1);

/** Files that are added one by one to a ZIP file that is read meanwhile. Of each only name, size and checksum are kept. */
export class ZipWriting {
  readonly #zip = new ZipFile();
  readonly #names: Set<string>;
  /** The bytes of the file. An end before that of the file is a failure of the stream. */
  readonly out = this.#zip.outputStream as Readable;

  readonly #reserved: string;

  /** `reserved` is the name of the last file, which no other gets. */
  constructor(reserved: string) {
    this.#reserved = reserved;
    this.#names = new Set([reserved]);
    this.#zip.on('error', (error: Error) => this.out.destroy(error));
  }

  /** Done once the file was taken. Numbers that become the same name are told apart. Throws when nobody reads any more. */
  async add(wanted: string, bytes: Buffer, at: Date): Promise<string> {
    const name = this.#free(wanted);
    await this.#put(name, bytes, at);
    return name;
  }

  /** Adds the file of the reserved name, and ends. */
  async end(bytes: Buffer): Promise<void> {
    await this.#put(this.#reserved, bytes, null);
    this.#zip.end();
  }

  async #put(name: string, bytes: Buffer, at: Date | null): Promise<void> {
    const content = Readable.from([bytes]);
    const isPdf = name.endsWith('.pdf');
    await new Promise<void>((resolve, reject) => {
      const gone = () => reject(new Error('nobody reads the export any more'));
      if (this.out.destroyed) return gone();
      this.out.once('close', gone);
      content.once('end', () => {
        this.out.off('close', gone);
        resolve();
      });
      // What a PDF holds is packed already.
      const how = { mtime: at ?? NO_DAY, compress: !isPdf };
      outsideOfPool(() => this.#zip.addReadStreamLazy(name, how, givenOnce(content)));
      return undefined;
    });
  }

  /** Throws when nobody reads any more. */
  requireReader(): void {
    if (this.out.destroyed) throw new Error('nobody reads the export any more');
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#names.has(name.toLowerCase()); n += 1) name = `${n}-${wanted}`;
    this.#names.add(name.toLowerCase());
    return name;
  }
}

/**
 * Runs `work`, which waits for nothing, so that small buffers that it makes are not pieces of Node's pool. The ZIP file keeps the name of each
 * file until its end; as a piece of the pool it would keep 64 KiB, with the documents that were made beside it.
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

/** Gives a file's content once and forgets it: the ZIP file keeps what it was given this by until its end. */
function givenOnce(content: Readable): (then: (error: unknown, content: Readable) => void) => void {
  let left: Readable | null = content;
  return (then) => {
    const given = left!;
    left = null;
    then(null, given);
  };
}
