import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Language } from '../../ground/lib/language.ts';

/** The folder of the guides; the pages and pictures that they refer to are in `docs`. */
export const GUIDES = new URL('../../../docs/guides/', import.meta.url);

/** The folder of their translations, whose files have the same names. */
export const SPANISH = new URL('es/', GUIDES);

/** A page of `docs/guides` as written. */
export type Guide = {
  /** The file's name without its ending; the page's address. */
  readonly slug: string;
  readonly title: string;
  readonly order: number;
  readonly summary: string;
  /** Markdown below the title. */
  readonly body: string;
  readonly language: Language;
  /** The page that it translates, or itself: its headings name the anchors, so that a link fits every language. */
  readonly original: string;
};

const frontMatter = z.strictObject({
  title: z.string().min(1).max(60),
  order: z.coerce.number().int().positive(),
  summary: z.string().min(1).max(200),
});

/** Reads a page. Throws when its header does not follow docs/README.md. */
function readGuide(slug: string, folder: URL): Omit<Guide, 'language' | 'original'> {
  const text = readFileSync(new URL(`${slug}.md`, folder), 'utf8');
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const fields = head.split('\n').map((line) => line.split(/:\s+(.*)/s).slice(0, 2));
  const parsed = frontMatter.safeParse(Object.fromEntries(fields));
  if (!parsed.success) throw new Error(`${folder.pathname}${slug}.md: ${z.prettifyError(parsed.error)}`);
  return { slug, ...parsed.data, body: withoutTitle(body, parsed.data.title) };
}

/** The title is in the header; a page may repeat it for readers of the repository. */
function withoutTitle(body: string, title: string): string {
  const [, first, rest = ''] = /^\s*# (.*)\n([\s\S]*)$/.exec(body) ?? [];
  return first === title ? rest : body;
}

/** All pages in their order, in a language where they are translated, else in English. */
export function readGuides(language: Language = 'en'): readonly Guide[] {
  return readdirSync(GUIDES)
    .filter((name) => name.endsWith('.md'))
    .map((name) => guideIn(language, name.slice(0, -'.md'.length)))
    .sort((one, other) => one.order - other.order);
}

function guideIn(language: Language, slug: string): Guide {
  const written = readGuide(slug, GUIDES);
  const original = written.body;
  if (language === 'en' || !existsSync(new URL(`${slug}.md`, SPANISH)))
    return { ...written, language: 'en', original };
  const spanish = readGuide(slug, SPANISH);
  const body = spanish.body.replace(HELP, () => HELP.exec(original)?.[0] ?? '');
  return { ...spanish, body, language, original };
}

/** What the commands say of themselves. It is in English in a terminal too, so a translation has only the place for it. */
const HELP = /(?<=^<!-- commands: .*-->\n)[\s\S]*?(?=^<!-- end of commands -->$)/m;
