import { inflateSync } from 'node:zlib';
import { PDF_OBJECTS } from '../limits.ts';
import { type Budget, ReadingError } from '../reading-error.ts';
import {
  type PdfDictionary,
  PdfName,
  type PdfObject,
  PdfObjectReader,
  PdfReference,
  PdfText,
} from './pdf-objects.ts';
import type { ContainedFile } from './zip.ts';

/** File names of the invoice in a PDF by Factur-X 1.0, ZUGFeRD and XRechnung, in lower case. */
const INVOICE_NAMES = new Set(['factur-x.xml', 'zugferd-invoice.xml', 'xrechnung.xml']);

type Stored = { readonly object: PdfObject; readonly stream: Buffer | null };

/**
 * The structured invoice in a PDF (ISO 32000-1, 7.11.4: embedded files). Objects are found by scanning instead of
 * by the cross-reference tables, the last one of each number is used, and streams are inflated only within the
 * budget. Refuses a PDF without such an invoice, with several different ones, or an encrypted one.
 */
export function invoiceOfPdf(bytes: Buffer, budget: Budget): ContainedFile {
  const text = bytes.toString('latin1');
  if (/\/Encrypt\b/.test(text)) throw new ReadingError('not_supported', 'is an encrypted PDF');
  const objects = objectsIn(text, bytes, budget);
  const files: ContainedFile[] = [];
  for (const specification of specificationsIn(objects)) {
    const name = fileName(specification);
    if (!INVOICE_NAMES.has(name.toLowerCase())) continue;
    const embedded = dictionary(specification.get('EF'), objects);
    const stream = embedded?.get('F') ?? embedded?.get('UF') ?? null;
    const stored = stream instanceof PdfReference ? objects.get(stream.number) : undefined;
    if (stored?.stream == null)
      throw new ReadingError('invalid_format', `names ${name} and does not hold it`);
    files.push({ name, bytes: unpacked(stored, objects, budget) });
  }
  const [file, ...others] = files;
  if (file === undefined)
    throw new ReadingError('not_supported', 'is a PDF that holds no invoice for programs');
  if (others.some((other) => !other.bytes.equals(file.bytes))) {
    throw new ReadingError(
      'ambiguous',
      'is a PDF with several invoices for programs, which say different things',
    );
  }
  return file;
}

/** Every object of the file by its number, including those in object streams. */
function objectsIn(text: string, bytes: Buffer, budget: Budget): Map<number, Stored> {
  const objects = new Map<number, Stored>();
  const start = /(?<![0-9])(\d{1,10})[ \t\r\n]+\d{1,5}[ \t\r\n]+obj\b/g;
  const packed: Stored[] = [];
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    if (objects.size > PDF_OBJECTS) throw new ReadingError('too_big', 'has more objects than are read');
    const stored = objectAt(text, bytes, start.lastIndex);
    if (stored === null) continue;
    // Text inside a stream is not an object of the file.
    start.lastIndex = stored.end;
    objects.set(Number(found[1]), stored);
    if (stored.stream !== null && isOfType(stored.object, 'ObjStm')) packed.push(stored);
  }
  for (const stream of packed) unpackObjects(stream, objects, budget);
  return objects;
}

function objectAt(text: string, bytes: Buffer, position: number): (Stored & { readonly end: number }) | null {
  const reader = new PdfObjectReader(text, position);
  let object: PdfObject;
  try {
    object = reader.read();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const opening = /^\s*stream(\r\n|\n|\r)/.exec(text.slice(reader.position, reader.position + 32));
  if (opening === null || !isDictionary(object)) return { object, stream: null, end: reader.position };
  const from = reader.position + opening[0].length;
  const length = object.get('Length');
  const stated = typeof length === 'number' ? from + length : Number.NaN;
  const isStated = /^\s*endstream/.test(text.slice(stated, stated + 16));
  const end = isStated ? stated : text.indexOf('endstream', from);
  if (end === -1) return null;
  return { object, stream: bytes.subarray(from, end), end };
}

function unpackObjects(packed: Stored, objects: Map<number, Stored>, budget: Budget): void {
  const text = unpacked(packed, objects, budget).toString('latin1');
  const value = packed.object as PdfDictionary;
  const [count, first] = [value.get('N'), value.get('First')];
  if (typeof count !== 'number' || typeof first !== 'number') return;
  const numbers = text.slice(0, first).trim().split(/\s+/).map(Number);
  for (let index = 0; index < Math.min(count, numbers.length / 2); index += 1) {
    if (objects.size > PDF_OBJECTS) throw new ReadingError('too_big', 'has more objects than are read');
    try {
      const object = new PdfObjectReader(text, first + numbers[2 * index + 1]!).read();
      objects.set(numbers[2 * index]!, { object, stream: null });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
}

/** The bytes of a stream, inflated if necessary. */
function unpacked({ object, stream }: Stored, objects: ReadonlyMap<number, Stored>, budget: Budget): Buffer {
  const filter = resolved((object as PdfDictionary).get('Filter') ?? null, objects);
  const filters = filter === null ? [] : Array.isArray(filter) ? filter : [filter];
  if (filters.length === 0) return stream!;
  const [only, ...others] = filters.map((one) => (one instanceof PdfName ? one.name : ''));
  if (others.length > 0 || (only !== 'FlateDecode' && only !== 'Fl')) {
    throw new ReadingError('not_supported', `packs its invoice by ${only}, which is not supported`);
  }
  try {
    const inflated = inflateSync(stream!, { maxOutputLength: Math.max(1, budget.remaining) });
    budget.take(inflated.length);
    return inflated;
  } catch (error) {
    if (error instanceof ReadingError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') budget.take(budget.remaining + 1);
    throw new ReadingError('invalid_format', 'has a damaged stream');
  }
}

/** File specifications with an embedded file, anywhere in the PDF. */
function* specificationsIn(objects: ReadonlyMap<number, Stored>): Generator<PdfDictionary> {
  for (const { object } of objects.values()) yield* specificationsOf(object);
}

function* specificationsOf(object: PdfObject): Generator<PdfDictionary> {
  if (isDictionary(object)) {
    if (object.has('EF')) yield object;
    else for (const value of object.values()) yield* specificationsOf(value);
  } else if (Array.isArray(object)) {
    for (const value of object as readonly PdfObject[]) yield* specificationsOf(value);
  }
}

function fileName(specification: PdfDictionary): string {
  const name = specification.get('UF') ?? specification.get('F');
  if (!(name instanceof PdfText)) return '';
  const { bytes } = name;
  if (!bytes.startsWith('\xfe\xff')) return bytes;
  return Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le');
}

function resolved(object: PdfObject, objects: ReadonlyMap<number, Stored>): PdfObject {
  return object instanceof PdfReference ? (objects.get(object.number)?.object ?? null) : object;
}

function dictionary(
  object: PdfObject | undefined,
  objects: ReadonlyMap<number, Stored>,
): PdfDictionary | null {
  const found = resolved(object ?? null, objects);
  return isDictionary(found) ? found : null;
}

function isDictionary(object: PdfObject): object is PdfDictionary {
  return object instanceof Map;
}

function isOfType(object: PdfObject, type: string): boolean {
  const value = isDictionary(object) ? object.get('Type') : undefined;
  return value instanceof PdfName && value.name === type;
}
