import { readFileSync } from 'node:fs';
import {
  type DefinitionNode,
  Kind,
  type Location,
  type ObjectTypeDefinitionNode,
  parse,
  type TypeDefinitionNode,
} from 'graphql';
import type { Language } from '../../ground/lib/language.ts';
import { type Content, type Html, html } from '../web/html.ts';
import { filterForm } from './errors-page.ts';
import { document, type Navigation } from './layout.ts';
import { type Texts, texts } from './texts.ts';

export const SCHEMA = '/graphql-schema';

/** The printed schema in the repository: a test checks that it equals the served one. */
export const schemaText = (): string =>
  readFileSync(new URL('../graphql/schema.graphql', import.meta.url), 'utf8');

/** The root types, whose fields have anchors of their own. */
const ROOTS = ['Query', 'Mutation', 'Subscription'] as const;

const isRoot = (name: string): name is (typeof ROOTS)[number] => (ROOTS as readonly string[]).includes(name);

/** A definition with an anchor: a type, or a field of a root type such as `Query.invoices`. */
type Definition = {
  readonly name: string;
  readonly kind: Kind | (typeof ROOTS)[number];
  readonly text: string;
};

/** Sorted by interest: root types, then output types, then inputs. */
const GROUPS: readonly (readonly [id: keyof Texts['schema']['groups'], kind: Definition['kind']])[] = [
  ['queries', 'Query'],
  ['mutations', 'Mutation'],
  ['subscriptions', 'Subscription'],
  ['objects', Kind.OBJECT_TYPE_DEFINITION],
  ['interfaces', Kind.INTERFACE_TYPE_DEFINITION],
  ['inputs', Kind.INPUT_OBJECT_TYPE_DEFINITION],
  ['enumerations', Kind.ENUM_TYPE_DEFINITION],
  ['scalars', Kind.SCALAR_TYPE_DEFINITION],
];

const isType = (node: DefinitionNode): node is TypeDefinitionNode =>
  'name' in node && node.kind.endsWith('TypeDefinition');

function definitionsOf(text: string): Definition[] {
  const written = ({ loc }: { readonly loc?: Location | undefined }) => text.slice(loc!.start, loc!.end);
  return parse(text)
    .definitions.filter(isType)
    .flatMap((node): Definition[] => {
      const name = node.name.value;
      if (!isRoot(name)) return [{ name, kind: node.kind, text: written(node) }];
      // Within its type a field is indented.
      return ((node as ObjectTypeDefinitionNode).fields ?? []).map((field) => ({
        ...{ name: `${name}.${field.name.value}`, kind: name },
        text: written(field).replace(/^ {2}/gm, ''),
      }));
    });
}

/** /docs/graphql-schema: the SDL with an anchor for each definition and a link for each type. What it says is in English. */
export function schemaPage(navigation: Navigation): string {
  const { root, language } = navigation;
  const { pages, schema } = texts[language];
  const { title, summary } = pages.schema;
  const definitions = definitionsOf(schemaText());
  const names = new Set(definitions.map(({ name }) => name));
  const groups = GROUPS.map(([id, kind]) => ({
    ...{ id, text: schema.groups[id] },
    found: definitions.filter((definition) => definition.kind === kind),
  }));
  const body = html`<article class="prose sdl"><h1>${title}</h1>
<p class="lead">${summary} <a href="${root}/schema.graphql">schema.graphql</a></p>
<p>${schema.how(html`<a href="${root}/graphql">${schema.guide}</a>`)}</p>
${filterForm(schema.find)}
${groups.map(({ id, text, found }) => html`<section data-group><h2 id="${id}">${text}</h2>${found.map((definition) => typeBlock(definition, names, language))}</section>`)}</article>`;
  const headings = groups.map(({ id, text }) => ({ level: 2, id, text }));
  return document(navigation, { path: SCHEMA, title, body, headings });
}

function typeBlock({ name, text }: Definition, names: ReadonlySet<string>, language: Language): Html {
  const link = html`<a class="anchor" href="#${name}" aria-label="${texts[language].linkTo(name)}">#</a>`;
  return html`<section data-entry id="${name}"><h3><code>${name}</code> ${link}</h3><pre${language !== 'en' && html` lang="en"`} tabindex="0" aria-label="${name}"><code>${coloured(text, names)}</code></pre></section>`;
}

const TOKEN = /("""[\s\S]*?""")|\b(type|interface|input|enum|scalar)\b(?= \w)|\b([A-Z]\w*)\b/g;

/** The text in its colours, each type that it names a link to it. */
function coloured(text: string, names: ReadonlySet<string>): Content[] {
  const parts: Content[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, description, keyword, type] = match;
    parts.push(text.slice(at, match.index));
    at = match.index + whole.length;
    if (description !== undefined) parts.push(html`<span class="hljs-comment">${whole}</span>`);
    else if (keyword !== undefined) parts.push(html`<span class="hljs-keyword">${whole}</span>`);
    else if (names.has(type!)) parts.push(html`<a href="#${type}">${type}</a>`);
    else parts.push(html`<span class="hljs-type">${whole}</span>`);
  }
  return [...parts, text.slice(at)];
}
