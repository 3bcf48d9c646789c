import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A value of a PDF as qpdf writes it in JSON: names begin with `/`, texts with `u:` or `b:`, references are `n g R`. */
export type Value = null | boolean | number | string | readonly Value[] | Dictionary;
export type Dictionary = { readonly [key: string]: Value };

/** A stream with its bytes decoded. */
export type Stream = { readonly dictionary: Dictionary; readonly bytes: Buffer };

/** A PDF taken apart by qpdf. */
export type Pdf = {
  readonly file: Buffer;
  readonly trailer: Dictionary;
  readonly catalog: Dictionary;
  readonly objects: ReadonlyMap<string, Value>;
  readonly streams: ReadonlyMap<string, Stream>;
};

/** Takes a file apart; null where qpdf cannot. */
export function parsePdf(file: Buffer): Pdf | null {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-pdfa-'));
  try {
    const path = join(directory, 'file.pdf');
    writeFileSync(path, file);
    const args = ['--json=2', '--json-stream-data=inline', '--decode-level=specialized', path];
    const { stdout } = spawnSync('qpdf', args, { maxBuffer: 256 * 1024 * 1024 });
    return parse(file, stdout.toString());
  } catch {
    return null;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Written = {
  readonly value?: Value;
  readonly stream?: { readonly data: string; readonly dict: Dictionary };
};

function parse(file: Buffer, json: string): Pdf {
  const [, written] = (JSON.parse(json) as { qpdf: [unknown, Record<string, Written>] }).qpdf;
  const objects = new Map<string, Value>();
  const streams = new Map<string, Stream>();
  for (const [key, { value, stream }] of Object.entries(written)) {
    const name = key.replace(/^obj:/, '');
    if (stream !== undefined) {
      streams.set(name, { dictionary: stream.dict, bytes: Buffer.from(stream.data, 'base64') });
      objects.set(name, stream.dict);
    } else if (value !== undefined) objects.set(name, value);
  }
  const trailer = objects.get('trailer') as Dictionary;
  return { file, trailer, catalog: objects.get(String(trailer['/Root'])) as Dictionary, objects, streams };
}

/** What a value stands for: the object, where it is a reference. */
export function resolve({ objects }: Pdf, value: Value | undefined): Value {
  if (typeof value === 'string' && /^\d+ \d+ R$/.test(value)) return objects.get(value) ?? null;
  return value ?? null;
}

/** The dictionary that a value stands for; an empty one where it is none. */
export function dictionary(pdf: Pdf, value: Value | undefined): Dictionary {
  const found = resolve(pdf, value);
  return found !== null && typeof found === 'object' && !Array.isArray(found) ? (found as Dictionary) : {};
}

/** Every dictionary in the file, also those within others. */
export function dictionaries({ objects }: Pdf): Dictionary[] {
  const found: Dictionary[] = [];
  const visit = (value: Value): void => {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      value.forEach(visit);
      return;
    }
    found.push(value as Dictionary);
    Object.values(value).forEach(visit);
  };
  for (const value of objects.values()) visit(value);
  return found;
}

export const ofType = (pdf: Pdf, type: string): Dictionary[] =>
  dictionaries(pdf).filter((found) => found['/Type'] === type);

/** A text of the file. */
export const text = (value: Value | undefined): string =>
  typeof value === 'string' ? value.replace(/^[ub]:/, '') : '';

/** The operators of a page's contents with their operands. */
export function operators(contents: string): { readonly operator: string; readonly operands: string[] }[] {
  const found: { operator: string; operands: string[] }[] = [];
  let operands: string[] = [];
  // Hexadecimal texts, arrays, dictionaries, texts in brackets, names, numbers, operators.
  for (const [token] of contents.matchAll(
    /<<[^>]*>>|<[\da-fA-F\s]*>|\[[^\]]*\]|\((?:\\.|[^\\)])*\)|\/[^\s/[<(]+|[^\s/[<(]+/g,
  )) {
    if (/^[A-Za-z'"*]/.test(token) && !/^(true|false|null)$/.test(token)) {
      found.push({ operator: token, operands });
      operands = [];
    } else operands.push(token);
  }
  return found;
}

/** The decoded contents of every page, and of every form that pages draw. */
export function contentStreams(pdf: Pdf): string[] {
  const pages = ofType(pdf, '/Page').flatMap((page) => {
    const contents = page['/Contents'] ?? null;
    return Array.isArray(contents) ? contents.map(String) : [String(contents)];
  });
  const forms = [...pdf.streams]
    .filter(([, { dictionary: form }]) => form['/Subtype'] === '/Form')
    .map(([name]) => name);
  return [...pages, ...forms].map((name) => pdf.streams.get(name)?.bytes.toString('latin1') ?? '');
}
