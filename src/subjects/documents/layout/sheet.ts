import PDFDocument from 'pdfkit';
import drawSvg from 'svg-to-pdfkit';
import type { Logo } from '../branding/branding.ts';
import type { Accent } from './accent.ts';
import { UNITS_PER_EM } from './font-families.ts';
import { fonts, widthOf } from './fonts.ts';
import { isRightToLeft, type Run, runsOf, unitsOf } from './runs.ts';
import { colours, contentWidth, page, type TextStyle } from './style.ts';

export type Align = 'left' | 'center' | 'right';
/** In points. */
export type PageSize = { readonly width: number; readonly height: number };

export type Box = { readonly x: number; readonly width: number };
export type Tag = 'H1' | 'H2' | 'P' | 'Figure' | 'Sect' | 'Table' | 'TR' | 'TH' | 'TD' | 'L' | 'LI' | 'LBody';

export type DocumentFacts = {
  readonly title: string;
  readonly author: string;
  /** What else the file is for programs; distinguishes it from a file with the same pages that is not. */
  readonly subject: string | null;
  readonly createdAt: Date;
  /** As BCP 47 writes it. */
  readonly language: string;
  readonly accent: Accent;
};

/**
 * A file in the document, and its relationship to it (AFRelationship of ISO 19005-3): data, or an alternative form.
 */
export type Attached = {
  readonly name: string;
  readonly content: string;
  readonly type: string;
  readonly description: string;
  readonly date: Date;
  readonly relationship: 'Data' | 'Alternative';
};

/** For a structure element whose text is Spanish in a document of any language. */
export const IN_SPANISH = { lang: 'es-ES' };

/** The whole width between the margins. */
export const fullWidth: Box = { x: page.left, width: contentWidth };

/**
 * pdfkit copies the document's metadata into its XMP packet without escaping. There a text is converted by
 * `toString`, everywhere else its value is used.
 */
class Fact extends String {
  override toString(): string {
    return this.valueOf().replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  }
}

const asFact = (text: string): string => new Fact(text) as unknown as string;

/**
 * A document being written: pages, a current position `y`, and a tagged structure (for screen readers and for
 * copying text in order). Everything drawn belongs to a structure element or is marked as decoration. PDF/A-3b:
 * fonts embedded, colours defined, no references outside the file.
 */
export class Sheet {
  /** The vertical position of the next block, in points from the top of the page. */
  y: number = page.top;
  readonly #doc: PDFKit.PDFDocument;
  readonly #sizeOf: ((pageNumber: number) => PageSize) | null;
  readonly #decorate: (sheet: Sheet, pageNumber: number) => void;
  readonly #bytes: Promise<Buffer>;
  readonly #accent: Accent;
  readonly #parents: PDFKit.PDFStructureElement[] = [];
  #pages = 0;
  #ink: string | null = null;
  #inArtifact = false;
  readonly #registered = new Set<string>();

  /**
   * `decorate` draws what each page has besides the content and sets `y` to the start of the content. `sizeOf`:
   * sizes of pages other than A4, by page number.
   */
  constructor(
    facts: DocumentFacts,
    decorate: (sheet: Sheet, pageNumber: number) => void,
    sizeOf: ((pageNumber: number) => PageSize) | null = null,
  ) {
    this.#decorate = decorate;
    this.#sizeOf = sizeOf;
    this.#accent = facts.accent;
    this.#doc = new PDFDocument({
      size: [page.width, page.height],
      margin: 0,
      autoFirstPage: false,
      bufferPages: true,
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      tagged: true,
      lang: facts.language,
      displayTitle: true,
      // Only embedded fonts: the default, Helvetica, is not embedded.
      font: null as unknown as string,
      // Our fonts already cache across documents; pdfkit's own cache would only grow with the document.
      fontLayoutCache: false,
      info: {
        Title: asFact(facts.title),
        Author: asFact(facts.author),
        ...(facts.subject === null ? {} : { Subject: asFact(facts.subject) }),
        Creator: 'Lacre',
        Producer: 'Lacre',
        // No value depends on time or machine: the same content gives the same bytes. And only metadata that pdfkit
        // also writes into the XMP packet, so that the two agree.
        CreationDate: facts.createdAt,
      },
    });
    this.#bytes = collect(this.#doc);
    // Called after every line only to move a position that we do not use.
    this.#doc.widthOfString = () => 0;
    const root = this.#doc.struct('Document');
    this.#doc.addStructure(root);
    this.#parents.push(root);
    this.newPage();
  }

  newPage(): void {
    if (this.#sizeOf === null) this.#doc.addPage();
    else {
      const { width, height } = this.#sizeOf(this.#pages + 1);
      // A page that sets its own options does not inherit the document's.
      this.#doc.addPage({ size: [width, height], margin: 0 });
    }
    gatherOperators(this.#doc.page);
    this.#pages += 1;
    this.#ink = null;
    this.y = page.top;
    this.#decorate(this, this.#pages);
  }

  /** The remaining height of this page. */
  get room(): number {
    return page.bottom - this.y;
  }

  /** Begins a new page unless `height` still fits. */
  ensure(height: number): void {
    if (height > this.room) this.newPage();
  }

  /** A structure element that is drawn at once, on one page. */
  leaf(tag: Tag, draw: () => void, options: Record<string, unknown> = {}): void {
    this.#parents.at(-1)?.add(this.#doc.struct(tag, options, [draw]));
  }

  /** A structure element that contains others; it may span pages. */
  group(tag: Tag, fill: () => void): void {
    const element = this.#doc.struct(tag);
    this.#parents.at(-1)?.add(element);
    this.#parents.push(element);
    fill();
    this.#parents.pop();
    element.end();
  }

  /** Decoration: not part of the text. */
  artifact(draw: () => void): void {
    if (this.#inArtifact) {
      draw();
      return;
    }
    this.#inArtifact = true;
    this.#doc.markContent('Artifact');
    draw();
    this.#doc.endMarkedContent();
    this.#inArtifact = false;
  }

  /** One line of text; `y` is the top of its line box. */
  line(text: string, { x, width }: Box, y: number, style: TextStyle, align: Align = 'left'): void {
    if (text === '') return;
    const slack = align === 'left' ? 0 : width - widthOf(text, style);
    const left = x + (align === 'center' ? slack / 2 : slack);
    const font = fonts[style.weight];
    const textHeight = ((font.ascent - font.descent) / font.unitsPerEm) * style.size;
    const baseline = y + (style.leading - textHeight) / 2 + (font.ascent / font.unitsPerEm) * style.size;
    if (this.#ink !== style.ink) {
      this.#doc.fillColor(this.#colour(style.ink));
      this.#ink = style.ink;
    }
    // With these two given pdfkit does not measure the text again.
    const options = { lineBreak: false, baseline: 'alphabetic', textWidth: width, wordCount: 1 } as const;
    const runs = runsOf(text, style.weight);
    let at = left;
    // Copying and screen readers get the characters in logical order, not the glyphs that represent them. Readers
    // reverse right-to-left text themselves, including this one.
    const isShaped = !isRightToLeft(text) && runs.some(({ name }) => name !== style.weight);
    if (isShaped) this.#doc.markContent('Span', { actual: `${text} ` });
    for (const run of runs) {
      this.#chooseFont(run, style.size);
      // The space separates words when text is copied or read aloud: otherwise a line's last word and the next
      // line's first are joined.
      this.#doc.text(runs.length === 1 ? `${run.text} ` : run.text, at, baseline, options);
      at += (unitsOf(run) * style.size) / UNITS_PER_EM;
    }
    if (runs.length > 1) this.#doc.text(' ', at, baseline, options);
    if (isShaped) this.#doc.endMarkedContent();
  }

  #chooseFont({ name, font, scale }: Run, size: number): void {
    if (this.#registered.has(name)) {
      this.#doc.font(name, size * scale);
      return;
    }
    this.#registered.add(name);
    this.#doc.registerFont(name, font as unknown as Buffer).font(name, size * scale);
    // pdfkit states the width of the glyph for missing characters in the units of the font; PDF/A wants it in thousandths.
    const { widths } = (this.#doc as unknown as { readonly _font: { readonly widths: number[] } })._font;
    widths[0] = (widths[0]! * UNITS_PER_EM) / font.unitsPerEm;
  }

  /** Lines below each other; returns their height. */
  lines(texts: readonly string[], box: Box, y: number, style: TextStyle, align: Align = 'left'): number {
    texts.forEach((text, index) => {
      this.line(text, box, y + index * style.leading, style, align);
    });
    return texts.length * style.leading;
  }

  rule(y: number, colour: string, thickness: number, { x, width }: Box = fullWidth): void {
    this.#doc
      .lineWidth(thickness)
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke(this.#colour(colour));
  }

  area({ x, width }: Box, y: number, height: number, colour: string): void {
    this.#doc.rect(x, y, width, height).fill(this.#colour(colour));
    this.#ink = null;
  }

  #colour(colour: string): string {
    if (colour === colours.accent) return this.#accent.ink;
    return colour === colours.accentLine ? this.#accent.line : colour;
  }

  /** Draws with a rotated and moved coordinate system; restores all drawing state afterwards. */
  transformed(matrix: readonly [number, number, number, number, number, number], draw: () => void): void {
    this.#doc.save().transform(...matrix);
    draw();
    this.#doc.restore();
    this.#ink = null;
  }

  /** Rectangles in one path: renderers show no seams between adjacent ones. */
  mosaic(tiles: Iterable<readonly [x: number, y: number, width: number, height: number]>, colour: string) {
    for (const tile of tiles) this.#doc.rect(...tile);
    this.#doc.fill(this.#colour(colour));
    this.#ink = null;
  }

  /** An image that was checked when it was uploaded, scaled to the area. */
  picture({ type, bytes }: Logo, { x, width }: Box, y: number, height: number): void {
    this.#doc.save();
    if (type === 'svg') {
      const fit = { width, height, assumePt: true, preserveAspectRatio: 'none', warningCallback: () => {} };
      drawSvg(this.#doc, Buffer.from(bytes).toString(), x, y, fit);
    } else {
      this.#doc.image(Buffer.from(bytes), x, y, { width, height });
    }
    this.#doc.restore();
    this.#ink = null;
  }

  /** Attaches a file with the document's date. */
  attach({ name, content, type, description, date, relationship }: Attached): void {
    // The type declarations lack the relationship.
    const options = { name, type, description, creationDate: date, modifiedDate: date, relationship };
    this.#doc.file(Buffer.from(content), options);
  }

  /** Adds metadata in RDF to the XMP packet. */
  describe(rdf: string): void {
    this.#doc.appendXML(rdf);
  }

  /** Ends the document: `foot` draws at the bottom of each page and gets the number of pages. */
  finish(foot: (pageNumber: number, pages: number) => void): Promise<Buffer> {
    for (let number = 1; number <= this.#pages; number += 1) {
      this.#doc.switchToPage(number - 1);
      this.#ink = null;
      this.artifact(() => foot(number, this.#pages));
    }
    this.#parents[0]?.end();
    this.#doc.end();
    return this.#bytes;
  }
}

/**
 * pdfkit creates a buffer for each operator; collected until the page ends they become one. The bytes are the same.
 */
function gatherOperators(page: PDFKit.PDFPage): void {
  const { content } = page as unknown as { content: { write(operator: string): void; end(): void } };
  const operators: string[] = [];
  const [write, end] = [content.write.bind(content), content.end.bind(content)];
  content.write = (operator) => {
    operators.push(operator);
  };
  content.end = () => {
    write(operators.join('\n'));
    end();
  };
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}
