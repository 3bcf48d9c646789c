import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Other people's eyes on our documents: poppler reads them, zbar reads the code, qpdf looks at the file itself. */
type Tool = 'pdftotext' | 'pdftoppm' | 'pdfdetach' | 'pdffonts' | 'pdfinfo' | 'zbarimg' | 'qpdf';

/** Whether all the tools are installed. Says loudly when not: what they would have shown is then not shown. */
export function haveTools(...tools: Tool[]): boolean {
  const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
  if (missing.length > 0) {
    console.warn(
      `\n!!! ${missing.join(', ')} not installed: what documents look like is NOT checked here.\n`,
    );
  }
  return missing.length === 0;
}

/** Runs a tool on a file: in the arguments `@` is its path and `%` a directory for its output. */
function run(
  tool: Tool,
  input: Buffer,
  args: string[],
): { stdout: Buffer; files: Buffer[]; messages: string } {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-pdf-'));
  try {
    const file = join(directory, 'input');
    writeFileSync(file, input);
    const filled = args.map((arg) => arg.replace('@', file).replace('%', directory));
    const { stdout, stderr, status } = spawnSync(tool, filled, { maxBuffer: 256 * 1024 * 1024 });
    if (status !== 0) throw new Error(`${tool} ended with ${status}: ${stderr}${stdout.subarray(0, 2_000)}`);
    const files = readdirSync(directory)
      .filter((name) => name !== 'input')
      .sort()
      .map((name) => readFileSync(join(directory, name)));
    return { stdout, files, messages: stderr.toString() };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The text of all pages, laid out as on paper, or in the order in which it was drawn; pages end in a form feed. */
export function textOf(pdf: Buffer, order: 'layout' | 'raw' = 'layout'): string {
  return run('pdftotext', pdf, [`-${order}`, '@', '-']).stdout.toString();
}

export type Word = { page: number; text: string; left: number; top: number; right: number; bottom: number };

/** Each word with the place that it takes, in points from the top left corner of its page. */
export function wordsOf(pdf: Buffer): Word[] {
  const xml = run('pdftotext', pdf, ['-bbox', '@', '-']).stdout.toString();
  const words: Word[] = [];
  let page = 0;
  const pattern =
    /<page |<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/g;
  for (const [tag, left, top, right, bottom, text] of xml.matchAll(pattern)) {
    if (tag.startsWith('<page')) page += 1;
    else {
      words.push({
        page,
        text: text ?? '',
        left: Number(left),
        top: Number(top),
        right: Number(right),
        bottom: Number(bottom),
      });
    }
  }
  return words;
}

/** Pairs of words on one page whose letters overlap. Boxes are taller than letters: only their middles count. */
export function collisionsOf(words: readonly Word[]): string[] {
  const middles = words.map((word) => {
    const quarter = (word.bottom - word.top) / 4;
    return { ...word, top: word.top + quarter, bottom: word.bottom - quarter };
  });
  const found: string[] = [];
  middles.forEach((one, index) => {
    for (const other of middles.slice(index + 1)) {
      if (one.page !== other.page) continue;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const along = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > 0.1 && along > 0.1) found.push(`"${one.text}" and "${other.text}" on page ${one.page}`);
    }
  });
  return found;
}

/** What is attached. */
export function attachmentsOf(pdf: Buffer): Buffer[] {
  return run('pdfdetach', pdf, ['-saveall', '-o', '%', '@']).files;
}

/** The structure with its texts, as a screen reader goes through it. */
export function structureOf(pdf: Buffer): string {
  return run('pdfinfo', pdf, ['-struct-text', '@']).stdout.toString();
}

/** Each font with the column that says whether it is embedded. */
export function fontsOf(pdf: Buffer): { name: string; embedded: boolean }[] {
  const lines = run('pdffonts', pdf, ['@']).stdout.toString().trim().split('\n').slice(2);
  return lines.map((line) => ({
    name: line.split(' ')[0]!,
    embedded: / yes (yes|no) +(yes|no) +\d+ +\d+$/.test(line),
  }));
}

/** What qpdf finds wrong with the file; it throws for more than warnings. */
export function faultsOf(pdf: Buffer): string {
  return run('qpdf', pdf, ['--check', '@']).messages;
}

/** A page as grey pixels, with what a renderer complained of. */
export type Picture = { width: number; height: number; dots: Buffer; messages: string };

export function pictureOf(pdf: Buffer, dotsPerInch: number): Picture {
  const args = ['-gray', '-r', String(dotsPerInch), '-f', '1', '-l', '1', '@', '%/page'];
  const { files, messages } = run('pdftoppm', pdf, args);
  const picture = files[0]!;
  const [header = '', width, height] =
    /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(picture.toString('latin1', 0, 40)) ?? [];
  return { width: Number(width), height: Number(height), dots: picture.subarray(header.length), messages };
}

/** All pages as PNG files, in their order. */
export function pagesOf(pdf: Buffer, dotsPerInch: number): Buffer[] {
  return run('pdftoppm', pdf, ['-r', String(dotsPerInch), '-png', '@', '%/page']).files;
}

/** What the QR codes on the first page, or on its upper half, say. */
export function codesOf(pdf: Buffer, part: 'page' | 'upper half' = 'page'): string[] {
  const half = part === 'page' ? [] : ['-x', '0', '-y', '0', '-W', '1240', '-H', '877'];
  const { files } = run('pdftoppm', pdf, [
    ...['-r', '150', '-gray', '-f', '1', '-l', '1', ...half, '@', '%/page'],
  ]);
  // One code may be of several lines; letters beyond ASCII zbar writes in an encoding that it guesses.
  const xml = run('zbarimg', files[0]!, ['--xml', '--quiet', '@']).stdout.toString();
  return [...xml.matchAll(/<data( format='base64')?[^>]*><!\[CDATA\[(.*?)\]\]><\/data>/gs)].map(
    ([, base64, text = '']) => (base64 === undefined ? text : Buffer.from(text, 'base64').toString('latin1')),
  );
}
