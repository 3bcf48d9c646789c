import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** How a record's link fits what was received before it in the same chain. */
export type Link = 'first' | 'continues' | 'repeats' | 'forks' | 'unknown';

/** The agency's answer to a record. */
export type RecordState = 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';

/** One record as it was received and judged, without its XML (which stays in the file). */
export type Entry = {
  readonly sequence: number;
  /** UTC. */
  readonly receivedAt: string;
  /** IdPeticion, the same for all records of an envelope. */
  readonly requestId: string;
  readonly presenterNif: string;
  readonly csv: string | null;
  readonly incident: boolean;
  readonly kind: 'alta' | 'anulacion';
  readonly nif: string;
  readonly number: string;
  /** `dd-mm-yyyy`. */
  readonly date: string;
  readonly operationDate: string | null;
  readonly invoiceType: string | null;
  /** The literal of ImporteTotal. */
  readonly total: string | null;
  readonly reference: string | null;
  readonly amendment: boolean;
  readonly previouslyRejected: string | null;
  readonly installation: string;
  readonly fingerprint: string;
  readonly previousFingerprint: string | null;
  readonly link: Link;
  readonly state: RecordState;
  readonly code: number | null;
  readonly description: string | null;
};

/** What the agency holds of one invoice: its standing alta or, once cancelled, its anulacion. */
export type Invoice = {
  readonly position: number;
  readonly latest: Entry;
  /** The alta that stands or stood last; null when only a cancellation without previous record came. */
  readonly alta: Entry | null;
};

type Chain = { tail: string | null; accepted: number; readonly fingerprints: Set<string> };
type LinePosition = { readonly offset: number; readonly length: number };
type Stored = { readonly entry: Entry; position: LinePosition | null; xml: string | null };

const keyOf = (...parts: string[]): string => parts.join('\u0000');

/** Lines are read back in pieces of this size. */
const PIECE = 4 * 1024 * 1024;

/** Everything that was received, in memory without the XML and in a file of JSON lines with it. */
export class Store {
  readonly #file: number;
  #size = 0;
  readonly #received: Stored[] = [];
  readonly #unwritten: Stored[] = [];
  /** What takes back the unwritten, in the order in which they were added. */
  readonly #undo: (() => void)[] = [];
  readonly #invoices = new Map<string, Invoice>();
  readonly #byIssuer = new Map<string, Invoice[]>();
  readonly #chains = new Map<string, Chain>();

  /** Opens the file, making it when it is missing, and reads what it holds; a torn last line is cut off. */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = openSync(path, 'a+', 0o600);
    this.#readBack();
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  /** Number of records received so far. */
  get count(): number {
    return this.#received.length;
  }

  /** Bytes of the file. */
  get size(): number {
    return this.#size;
  }

  /** Invoices with records, including cancelled ones. */
  get invoiceCount(): number {
    return this.#invoices.size;
  }

  invoice(nif: string, number: string, date: string): Invoice | undefined {
    return this.#invoices.get(keyOf(nif, number, date));
  }

  /** An issuer's invoices in the order of their first presentation. */
  invoicesOf(nif: string): readonly Invoice[] {
    return this.#byIssuer.get(nif) ?? [];
  }

  /** All invoices, in the order of their first presentation at each issuer. */
  *allInvoices(): Generator<Invoice> {
    for (const invoices of this.#byIssuer.values()) yield* invoices;
  }

  /** Records accepted so far in the chain of an issuer's installation. */
  acceptedIn(nif: string, installation: string): number {
    return this.#chains.get(keyOf(nif, installation))?.accepted ?? 0;
  }

  /** How a record would fit its chain. Records refused before count: the chain is that of generated records. */
  linkOf(nif: string, installation: string, fingerprint: string, previous: string | null): Link {
    const chain = this.#chains.get(keyOf(nif, installation));
    if (chain?.fingerprints.has(fingerprint)) return 'repeats';
    if (previous === null) return chain === undefined ? 'first' : 'forks';
    if (chain === undefined) return 'unknown';
    if (chain.tail === previous) return 'continues';
    return chain.fingerprints.has(previous) ? 'forks' : 'unknown';
  }

  /** Takes a record in. It is on disk only after `flush`. */
  add(record: Omit<Entry, 'sequence'>, xml: string): void {
    const stored: Stored = { entry: { sequence: this.count + 1, ...record }, position: null, xml };
    this.#unwritten.push(stored);
    this.#apply(stored);
  }

  /** Writes what was added since. Throws when the disk refuses, and is then as if nothing had been added. */
  flush(): void {
    if (this.#unwritten.length === 0) return;
    const lines = this.#unwritten.map((stored) =>
      Buffer.from(`${JSON.stringify({ ...stored.entry, xml: stored.xml })}\n`),
    );
    const bytes = Buffer.concat(lines);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      for (const undo of this.#undo.splice(0).reverse()) undo();
      this.#unwritten.length = 0;
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
    this.#undo.length = 0;
    for (const [index, stored] of this.#unwritten.entries()) {
      const length = lines[index]!.length;
      stored.position = { offset: this.#size, length };
      stored.xml = null;
      this.#size += length;
    }
    this.#unwritten.length = 0;
  }

  /** Up to `limit` records older than `before`, newest first, that pass the filter. */
  newest(
    limit: number,
    before = Number.POSITIVE_INFINITY,
    keep: (entry: Entry) => boolean = () => true,
  ): Entry[] {
    const found: Entry[] = [];
    for (let at = Math.min(before - 1, this.count) - 1; at >= 0 && found.length < limit; at -= 1) {
      const { entry } = this.#received[at]!;
      if (keep(entry)) found.push(entry);
    }
    return found;
  }

  /** The record's XML as it was received. */
  xmlOf(entry: Entry): string {
    const stored = this.#received[entry.sequence - 1]!;
    if (stored.position === null) return stored.xml ?? '';
    const line = Buffer.alloc(stored.position.length);
    readSync(this.#file, line, 0, line.length, stored.position.offset);
    return (JSON.parse(line.toString()) as { xml: string }).xml;
  }

  #apply(stored: Stored): void {
    const { entry } = stored;
    this.#received.push(stored);
    this.#note(stored, () => this.#received.pop());
    const chainKey = keyOf(entry.nif, entry.installation);
    const chain = this.#chains.get(chainKey) ?? { tail: null, accepted: 0, fingerprints: new Set() };
    const { tail, accepted } = chain;
    const repeats = chain.fingerprints.has(entry.fingerprint);
    this.#note(stored, () => {
      Object.assign(chain, { tail, accepted });
      if (!repeats) chain.fingerprints.delete(entry.fingerprint);
      if (chain.fingerprints.size === 0) this.#chains.delete(chainKey);
    });
    this.#chains.set(chainKey, chain);
    if (!repeats) chain.tail = entry.fingerprint;
    chain.fingerprints.add(entry.fingerprint);
    if (entry.state === 'Incorrecto') return;
    chain.accepted += 1;
    this.#setLatest(stored);
  }

  #setLatest(stored: Stored): void {
    const { entry } = stored;
    const key = keyOf(entry.nif, entry.number, entry.date);
    const known = this.#invoices.get(key);
    const ofIssuer = this.#byIssuer.get(entry.nif) ?? [];
    this.#byIssuer.set(entry.nif, ofIssuer);
    const alta = entry.kind === 'alta' ? entry : (known?.alta ?? null);
    const invoice: Invoice = { position: known?.position ?? ofIssuer.length, latest: entry, alta };
    this.#note(stored, () => {
      if (known !== undefined) {
        this.#invoices.set(key, known);
        ofIssuer[known.position] = known;
      } else {
        this.#invoices.delete(key);
        ofIssuer.pop();
      }
    });
    this.#invoices.set(key, invoice);
    ofIssuer[invoice.position] = invoice;
  }

  /** What was read from the file is not taken back. */
  #note({ position }: Stored, undo: () => void): void {
    if (position === null) this.#undo.push(undo);
  }

  #readBack(): void {
    const total = fstatSync(this.#file).size;
    let rest: Buffer = Buffer.alloc(0);
    for (let offset = 0; offset < total; ) {
      const piece = Buffer.alloc(Math.min(PIECE, total - offset));
      offset += readSync(this.#file, piece, 0, piece.length, offset);
      rest = this.#takeLines(Buffer.concat([rest, piece]));
    }
    if (rest.length > 0) ftruncateSync(this.#file, this.#size);
  }

  #takeLines(bytes: Buffer): Buffer {
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      const length = end + 1 - from;
      const { xml: _, ...entry } = JSON.parse(bytes.toString('utf8', from, end)) as Entry & { xml: string };
      this.#apply({ entry, position: { offset: this.#size, length }, xml: null });
      this.#size += length;
      from = end + 1;
    }
    return bytes.subarray(from);
  }
}
