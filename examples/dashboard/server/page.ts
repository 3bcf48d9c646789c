import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Begin, type Draw, ELSEWHERE, WHOLE_LIST } from '../src/begin.ts';
import { type Spoken, spokenBy } from '../src/language.ts';
import { TEXTS_ES } from '../src/texts-es.ts';
import { elementOf } from './begin.ts';
import type { Routes } from './routes.ts';

/**
 * What follows the `#` is known to the browser alone. This runs before the list is read, so that no frame shows it where the address
 * asks for something else.
 */
const SCRIPT = `${WHOLE_LIST}.test(location.hash)||document.documentElement.classList.add('${ELSEWHERE}')`;

/** What a policy has to allow beside the page's own files. */
export const SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;

const MAX_PREFERRED = 20;

/** What a request prefers. Values that are no languages are left out: an `Intl` of the page would throw at them. */
function spokenOf({ headers }: IncomingMessage): Spoken {
  const weighed = (headers['accept-language'] ?? '').split(',', MAX_PREFERRED).flatMap((part) => {
    const [, tag, weight = '1'] =
      /^\s*([a-z]{2,3}(?:-[a-z\d]{2,8})*)\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(part) ?? [];
    return tag === undefined || !isLanguage(tag) ? [] : [{ tag, weight: Number(weight) }];
  });
  const preferred = weighed.toSorted((a, b) => b.weight - a.weight).map(({ tag }) => tag);
  return spokenBy(headers.cookie ?? '', preferred);
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** The page for a request, in the pieces in which it is sent: its head at once, so that the browser loads the script meanwhile. */
export async function createPage(
  folder: string,
  begin: Routes['begin'],
): Promise<(request: IncomingMessage) => AsyncGenerator<string>> {
  const { draw }: { draw: Draw } = await import(pathToFileURL(join(folder, 'server/drawn.js')).href);
  const html = await readFile(join(folder, 'page/index.html'), 'utf8');
  const [before = '', after = ''] = html.split('<div id="app"></div>');
  const drawn = ({ session, ...rest }: Begin) =>
    session === null ? '' : draw(session, { session, ...rest });
  return async function* (request) {
    const spoken = spokenOf(request);
    const asked = begin(request, spoken);
    yield inLanguage(before, spoken);
    const begins = await asked;
    const list = begins === null ? '' : drawn(begins);
    const element = begins === null ? '' : elementOf(begins);
    yield `${list === '' ? '' : `<script>${SCRIPT}</script>`}<div id="app">${list}</div>${element}${after}`;
  };
}

function inLanguage(head: string, { language }: Spoken): string {
  if (language === 'en') return head;
  return head
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('<title>Invoices</title>', `<title>${TEXTS_ES.Invoices}</title>`);
}
