import type { FastifyReply, FastifyRequest } from 'fastify';
import { allDeclarations, currentDeclaration, type Declaration } from '../src/declaration/keep.ts';
import { Refusal } from '../src/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import { sendRefusal } from './answer.ts';
import { escaped, page, sendPage } from './docs.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Where the producer's declaration stands: Orden HAC/1177/2024 art. 15.3 wants it readable, by itself and quickly found. */
export const DECLARATION_PATH = '/docs/declaracion-responsable';

/** The page with the declaration in force and the older ones, and each of them as a text to be kept. */
export function declarationHandlers({ db, config }: Services): { page: Handler; text: Handler } {
  return {
    async page(_request, reply) {
      const current = await currentDeclaration(db, config);
      const older = (await allDeclarations(db)).filter(({ sha256 }) => sha256 !== current.sha256);
      return sendPage(reply, page('Declaración responsable', bodyOf(current, older), 'es'));
    },

    async text(request, reply) {
      const { sha256 } = request.params as { sha256: string };
      await currentDeclaration(db, config);
      const found = (await allDeclarations(db)).find((declaration) => declaration.sha256 === sha256);
      if (found === undefined) {
        const refusal = new Refusal('not_found', 'There is no such declaration.');
        return sendRefusal(reply, refusal, config.baseUrl);
      }
      const name = `declaracion-responsable-${found.version.replace(/[^\w.-]/g, '_')}.txt`;
      return reply
        .type('text/plain; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(found.text);
    },
  };
}

function bodyOf(current: Declaration, older: readonly Declaration[]): string {
  const [title = '', ...paragraphs] = current.text.trimEnd().split('\n\n');
  const link = ({ version, sha256, firstRunAt }: Declaration) =>
    `<a href="${DECLARATION_PATH}/${sha256}">Versión ${escaped(version)}</a>, desde el ` +
    firstRunAt.toISOString().slice(0, 10).split('-').reverse().join('/');
  const list = older.map((declaration) => `<li>${link(declaration)}</li>`).join('');
  return (
    `<h1>${escaped(title)}</h1>${paragraphs.map(paragraphOf).join('')}` +
    `<h2>Descarga</h2><p>${link(current)} (texto)</p>` +
    (list === '' ? '' : `<h2>Versiones anteriores</h2><ul>${list}</ul>`)
  );
}

function paragraphOf(paragraph: string): string {
  const [, label, text] = /^([^:]{1,200}:) (.*)$/s.exec(paragraph) ?? [];
  if (label === undefined || text === undefined) return `<h2>${escaped(paragraph)}</h2>`;
  return `<p><strong>${escaped(label)}</strong> ${escaped(text)}</p>`;
}
