/**
 * An object of a PDF (ISO 32000-1, 7.3). A stream is represented by its dictionary; its bytes are looked up by
 * number.
 */
export type PdfObject =
  | null
  | boolean
  | number
  | PdfName
  | PdfText
  | PdfReference
  | readonly PdfObject[]
  | PdfDictionary;
export type PdfDictionary = ReadonlyMap<string, PdfObject>;

export class PdfName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A string, one character for each byte. */
export class PdfText {
  readonly bytes: string;
  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

export class PdfReference {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

/** Nesting of arrays and dictionaries; genuine files have a few levels. */
const DEEPEST = 32;
const WHITE = /[\0\t\n\f\r ]/;
const DELIMITER = /[\0\t\n\f\r ()<>[\]{}/%]/;

/** Parses objects from a text with one character for each byte. Throws a SyntaxError for anything else. */
export class PdfObjectReader {
  readonly #text: string;
  position: number;

  constructor(text: string, position: number) {
    this.#text = text;
    this.position = position;
  }

  read(depth = 0): PdfObject {
    if (depth > DEEPEST) throw new SyntaxError('objects are nested too deeply');
    this.#skipWhite();
    const start = this.#text[this.position];
    if (start === '/') return this.#name();
    if (start === '(') return this.#literal();
    if (start === '[') return this.#array(depth);
    if (start === '<')
      return this.#text[this.position + 1] === '<' ? this.#dictionary(depth) : this.#hexadecimal();
    return this.#word();
  }

  #skipWhite(): void {
    for (;;) {
      const sign = this.#text[this.position];
      if (sign === '%') {
        while (this.position < this.#text.length && !/[\r\n]/.test(this.#text[this.position]!))
          this.position += 1;
      } else if (sign !== undefined && WHITE.test(sign)) this.position += 1;
      else return;
    }
  }

  #name(): PdfName {
    const from = this.position + 1;
    this.position = from;
    this.#toDelimiter();
    const raw = this.#text.slice(from, this.position);
    return new PdfName(
      raw.replace(/#([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    );
  }

  #toDelimiter(): void {
    while (this.position < this.#text.length && !DELIMITER.test(this.#text[this.position]!))
      this.position += 1;
  }

  #literal(): PdfText {
    // In whole stretches: one character at a time, a text of 20 MB would take 700 MB.
    const parts: string[] = [];
    let from = this.position + 1;
    let depth = 0;
    for (;;) {
      const sign = this.#text[this.position];
      if (sign === undefined) throw new SyntaxError('a string does not end');
      if (sign === '\\') {
        parts.push(this.#text.slice(from, this.position));
        this.position += 1;
        parts.push(this.#escaped());
        from = this.position;
        continue;
      }
      this.position += 1;
      if (sign === '(') depth += 1;
      if (sign === ')') depth -= 1;
      if (depth === 0) return new PdfText(parts.join('') + this.#text.slice(from, this.position - 1));
    }
  }

  #escaped(): string {
    const octal = /^[0-7]{1,3}/.exec(this.#text.slice(this.position, this.position + 3))?.[0];
    if (octal !== undefined) {
      this.position += octal.length;
      return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    }
    const sign = this.#text[this.position] ?? '';
    this.position += 1;
    const known: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '', '\r': '' };
    return known[sign] ?? sign;
  }

  #hexadecimal(): PdfText {
    const end = this.#text.indexOf('>', this.position);
    if (end === -1) throw new SyntaxError('a string does not end');
    const digits = this.#text.slice(this.position + 1, end).replace(/[^0-9A-Fa-f]/g, '');
    this.position = end + 1;
    return new PdfText(
      Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1'),
    );
  }

  #array(depth: number): PdfObject[] {
    this.position += 1;
    const items: PdfObject[] = [];
    for (;;) {
      this.#skipWhite();
      if (this.#text[this.position] === ']') {
        this.position += 1;
        return items;
      }
      items.push(this.read(depth + 1));
    }
  }

  #dictionary(depth: number): PdfDictionary {
    this.position += 2;
    const entries = new Map<string, PdfObject>();
    for (;;) {
      this.#skipWhite();
      if (this.#text.startsWith('>>', this.position)) {
        this.position += 2;
        return entries;
      }
      const key = this.read(depth + 1);
      if (!(key instanceof PdfName)) throw new SyntaxError('a key is no name');
      entries.set(key.name, this.read(depth + 1));
    }
  }

  #word(): PdfObject {
    const reference = /^(\d{1,10}) +(\d{1,5}) +R(?![A-Za-z])/.exec(
      this.#text.slice(this.position, this.position + 24),
    );
    if (reference !== null) {
      this.position += reference[0].length;
      return new PdfReference(Number(reference[1]));
    }
    const from = this.position;
    this.#toDelimiter();
    const word = this.#text.slice(from, this.position);
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    const number = Number(word);
    if (word === '' || Number.isNaN(number)) throw new SyntaxError('a word means nothing');
    return number;
  }
}
