import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** The folder of the guides; the pages and pictures that they refer to are in `docs`. */
export const GUIDES = new URL('../../../docs/guides/', import.meta.url);

/** A page of `docs/guides` as written. */
export type Guide = {
  /** The file's name without its ending; the page's address. */
  readonly slug: string;
  readonly title: string;
  readonly order: number;
  readonly summary: string;
  /** Markdown below the title. */
  readonly body: string;
};

const frontMatter = z.strictObject({
  title: z.string().min(1).max(60),
  order: z.coerce.number().int().positive(),
  summary: z.string().min(1).max(200),
});

/** Reads a page. Throws when its header does not follow docs/README.md. */
function readGuide(slug: string, text: string): Guide {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const fields = head.split('\n').map((line) => line.split(/:\s+(.*)/s).slice(0, 2));
  const parsed = frontMatter.safeParse(Object.fromEntries(fields));
  if (!parsed.success) throw new Error(`docs/guides/${slug}.md: ${z.prettifyError(parsed.error)}`);
  return { slug, ...parsed.data, body: withoutTitle(body, parsed.data.title) };
}

/** The title is in the header; a page may repeat it for readers of the repository. */
function withoutTitle(body: string, title: string): string {
  const [, first, rest = ''] = /^\s*# (.*)\n([\s\S]*)$/.exec(body) ?? [];
  return first === title ? rest : body;
}

/** All pages in their order. */
export function readGuides(): readonly Guide[] {
  return readdirSync(GUIDES)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readGuide(name.slice(0, -'.md'.length), readFileSync(new URL(name, GUIDES), 'utf8')))
    .sort((one, other) => one.order - other.order);
}
