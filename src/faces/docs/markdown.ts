import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import graphql from 'highlight.js/lib/languages/graphql';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt, { type Token } from 'markdown-it';
import type { Language } from '../../ground/lib/language.ts';
import { Html, html } from '../web/html.ts';
import { type Texts, texts } from './texts.ts';

const LANGUAGES = { bash, graphql, http, ini, javascript, json, nginx, php, python, sql, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** A heading that can be linked to. */
export type Heading = { readonly level: number; readonly text: string; readonly id: string };

/** The targets of a page's links and pictures. */
export type Resolve = (target: string) => string;

/** Markup generated from pages in the repository: never from anything that a caller sent. */
function ownMarkup(markup: string): Html {
  return Html.template(Object.assign([markup], { raw: [markup] }));
}

const markdown = new MarkdownIt({ html: false, typographer: true });
const { rules } = markdown.renderer;

/** The words of a heading as an anchor, as the repository's own pages make them. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** The second heading of the same words gets a number. */
function anchor(text: string, before: readonly Heading[]): string {
  const same = before.filter((heading) => slug(heading.text) === slug(text)).length;
  return same === 0 ? slug(text) : `${slug(text)}-${same}`;
}

/** What the rules are given of the page. */
type Environment = { readonly texts: Texts };
const textsOf = (env: unknown): Texts => (env as Environment).texts;

rules['heading_close'] = (tokens, index, _options, env) => {
  const { tag, meta } = tokens[index]!;
  const { id, heading } = meta as { id: string; heading: string };
  const link = html` <a class="anchor" href="#${id}" aria-label="${textsOf(env).linkTo(heading)}">#</a>`;
  return `${link.markup}</${tag}>\n`;
};

// Wide tables scroll separately, also by keyboard.
rules['table_open'] = (_tokens, _index, _options, env) =>
  `<div class="scroll" tabindex="0" role="group" aria-label="${textsOf(env).table}"><table>\n`;
rules['table_close'] = () => '</table></div>\n';

rules['fence'] = (tokens, index, _options, env) => {
  const { info, content } = tokens[index]!;
  const texts = textsOf(env);
  const [language = '', ...rest] = info.split(/\s/);
  // The block after a command is its output.
  const name = language === 'json' && rest.length === 0 ? texts.code.answer : undefined;
  return code(content, language, { texts, name }).markup;
};

/** The display name of a language that is called the same everywhere. */
const NAMES: Readonly<Record<string, string>> = {
  graphql: 'GraphQL',
  http: 'HTTP',
  json: 'JSON',
  javascript: 'JavaScript',
  python: 'Python',
  sql: 'SQL',
  xml: 'XML',
  yaml: 'YAML',
};

function nameOf(language: string, { code: words }: Texts): string {
  const named =
    language === 'bash' || language === 'ini' || language === 'text' ? words[language] : undefined;
  return named ?? NAMES[language] ?? words.other;
}

/** A highlighted code block; the page's script adds a copy button beside its name. */
export function code(
  content: string,
  language: string,
  { texts, name = nameOf(language, texts) }: { readonly texts: Texts; readonly name?: string | undefined },
): Html {
  const known = hljs.getLanguage(language) !== undefined;
  const markup = known ? ownMarkup(hljs.highlight(content, { language }).value) : html`${content}`;
  return html`<figure class="code"><figcaption>${name}</figcaption><pre tabindex="0" aria-label="${name}"><code>${markup}</code></pre></figure>`;
}

/** A page's Markdown, in its language, and the page whose headings name its anchors. */
export type Written = { readonly body: string; readonly language: Language; readonly original: string };

/** A page's Markdown as markup, with its headings in order. Comments are left out. */
export function render(
  { body, language, original }: Written,
  resolve: Resolve,
): { markup: Html; headings: readonly Heading[] } {
  const { tokens, headings } = parsed(body, anchorsOf(body, original));
  for (const token of tokens) for (const part of token.children ?? []) lead(part, resolve);
  const environment: Environment = { texts: texts[language] };
  return { markup: ownMarkup(markdown.renderer.render(tokens, markdown.options, environment)), headings };
}

/** The anchors of a translated page, by the place of each heading; none for a page that is no translation. */
function anchorsOf(body: string, original: string): readonly string[] {
  return body === original ? [] : parsed(original, []).headings.map(({ id }) => id);
}

/** The tokens of a page, its headings with their anchors. */
function parsed(body: string, anchors: readonly string[]): { tokens: Token[]; headings: readonly Heading[] } {
  const tokens = markdown.parse(body.replace(/<!--[\s\S]*?-->\n?/g, ''), {});
  const headings: Heading[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const heading = textOf(tokens[index + 1]!);
    const id = anchors[headings.length] ?? anchor(heading, headings);
    headings.push({ level: Number(token.tag.slice(1)), text: heading, id });
    token.attrSet('id', id);
    // The link to the heading is before its end.
    tokens[index + 2]!.meta = { id, heading };
  }
  return { tokens, headings };
}

/** A heading, or null for the text before the first one, and the text below it as one line. */
export type Section = { readonly heading: Heading | null; readonly text: string };

/** The text of a page by section, without markup. */
export function sectionsOf({ body, original }: Omit<Written, 'language'>): readonly Section[] {
  const sections: { heading: Heading | null; texts: string[] }[] = [{ heading: null, texts: [] }];
  const { tokens, headings } = parsed(body, anchorsOf(body, original));
  const remaining = [...headings];
  for (const [index, { type, content }] of tokens.entries()) {
    if (type === 'heading_open') sections.push({ heading: remaining.shift()!, texts: [] });
    else if (type === 'fence') sections.at(-1)!.texts.push(content);
    else if (type === 'inline' && tokens[index - 1]?.type !== 'heading_open')
      sections.at(-1)!.texts.push(textOf(tokens[index]!));
  }
  return sections.map(({ heading, texts }) => ({ heading, text: texts.join(' ').replace(/\s+/g, ' ') }));
}

function lead(part: Token, resolve: Resolve): void {
  if (part.type === 'link_open') part.attrSet('href', resolve(String(part.attrGet('href'))));
  if (part.type !== 'image') return;
  part.attrSet('src', resolve(String(part.attrGet('src'))));
  part.attrSet('loading', 'lazy');
}

function textOf(inline: Token): string {
  return (inline.children ?? [])
    .map(({ type, content }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return type === 'text' || type === 'code_inline' ? content : '';
    })
    .join('');
}

/** Text with code between backticks. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
