import { isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { type Html, html } from '../../web/html.ts';
import { badge, section, table } from '../components.ts';
import { moment } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say, sayWith } from '../words.ts';

type Declaration = {
  readonly version: string;
  readonly sha256: string;
  readonly text: string;
  readonly firstRunAt: string;
};

const QUERY = stored('query ConsoleDeclarations { declarations { version sha256 text firstRunAt } }');

/** The producer's declaration: the one in force, or an earlier one that the address names, and all that there were. */
export async function declaration(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root, query } = context;
  const found = await QUERY(context);
  if (isRefusal(found)) return found;
  const { declarations } = found;
  const requested = query('sha256');
  const one = requested === '' ? declarations[0] : declarations.find(({ sha256 }) => sha256 === requested);
  if (one === undefined) return new Refusal('not_found', 'There is no declaration with this fingerprint.');
  const current = declarations[0]!;
  const body = html`<h1>Declaración responsable</h1>
<p class="lead">${sayWith(one === current ? 'Version {version}, signed {when}, in force.' : 'Version {version}, signed {when}. It is no longer in force.', { version: one.version, when: moment(one.firstRunAt) })}${one !== current && html` <a href="${root}/declaration">${say('The one in force')}</a>`}</p>
<article class="card declaration" lang="es">${paragraphs(one.text)}</article>
${section('All versions', versions(root, declarations), 'versions')}`;
  return { title: 'Declaración responsable', body };
}

function paragraphs(text: string): Html {
  const [title = '', ...rest] = text.trimEnd().split('\n\n');
  return html`<h2>${title}</h2>${rest.map((paragraph) => html`<p>${paragraph}</p>`)}`;
}

function versions(root: string, declarations: readonly Declaration[]): Html {
  return table(
    'All versions',
    [
      {
        head: 'Version',
        cell: ({ version, sha256 }) => html`<a href="${root}/declaration?sha256=${sha256}">${version}</a>`,
      },
      { head: 'Subscribed', cell: ({ firstRunAt }) => moment(firstRunAt) },
      {
        head: 'State',
        cell: (one) =>
          one === declarations[0] ? badge('registered', 'In force') : badge('closed', 'Earlier'),
      },
      { head: 'SHA-256', cell: ({ sha256 }) => html`<code class="hash">${sha256}</code>` },
    ],
    declarations,
    'There is none.',
  );
}
