import { createHash } from 'node:crypto';
import { escaped } from './xml.ts';

/** Text that is markup already. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | null | Markup | readonly Markup[];

function inserted(value: Value): string {
  if (value === null) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escaped(String(value));
}

/** Markup from a template; whatever is put into it is escaped unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...values.map(inserted)));
}

/** One sheet for all pages: readable at a phone's width, in light and dark. */
const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3a3f47); --soft: light-dark(#f4f6f9, #1e2227); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1b1f24, #e6e8eb);
  background: light-dark(#fff, #14171a); }
.banner { padding: .6rem 1rem; background: #ffe08a; color: #3d2f00; font-weight: 600; text-align: center; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
main.narrow { max-width: 34rem; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: .8rem 0; }
.result { padding: .8rem 1rem; border-radius: .5rem; border-left: .4rem solid; background: var(--soft); }
.good { border-color: #1a7f37; } .bad { border-color: #b42318; } .open { border-color: #9a6700; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; }
dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.mono { font-family: ui-monospace, monospace; font-size: .8rem; overflow-wrap: anywhere; }
nav { display: flex; gap: 1rem; margin: 1rem 0; } a { color: light-dark(#0b57d0, #8ab4f8); }
.note { font-size: .9rem; opacity: .85; }
`;

/** The only thing that a page may load is its own sheet. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
};

/** A whole page under the banner that states what this server is. */
export function page(
  language: 'es' | 'en',
  title: string,
  banner: string,
  content: Markup,
  narrow = false,
): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<div class="banner" role="note">${banner}</div>
<main class="${narrow ? 'narrow' : ''}">
${content}
</main>
</body>
</html>
`.text;
}
