import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGuides } from '../../src/faces/docs/guides.ts';
import { OPERATIONS_ES, TAGS_ES } from '../../src/faces/docs/operations-es.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operations } from '../support/http/openapi.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const read = (path: string, headers: Record<string, string> = {}) =>
  service.call('GET', path, { key: null, headers: { accept: 'text/html', ...headers } });
const SPANISH = { 'accept-language': 'es-ES,es;q=0.9,en;q=0.5' };
const languageOf = (page: string) => /<html lang="(\w+)">/.exec(page)![1];

describe('the documentation is in the reader’s language', () => {
  test.each([
    ['a browser that prefers Spanish', SPANISH, 'es', 'Primera factura'],
    ['a browser that prefers English', { 'accept-language': 'en-GB,es;q=0.3' }, 'en', 'First invoice'],
    ['a browser that wants neither', { 'accept-language': 'fr' }, 'en', 'First invoice'],
    ['a program', {}, 'en', 'First invoice'],
  ])('%s', async (_who, headers, language, title) => {
    const { body, headers: answered } = await read('/docs/first-invoice', headers);
    expect(languageOf(body)).toBe(language);
    expect(body).toContain(`<h1>${title}</h1>`);
    expect(answered.get('vary')).toMatch(/accept-language, cookie/);
  });

  test('a link chooses the language of its page and, by a cookie, of the following ones, those of the portal too', async () => {
    const { headers, body } = await read('/docs/tickets?lang=es', { 'accept-language': 'en' });
    expect(languageOf(body)).toBe('es');
    const cookie = headers.get('set-cookie')!;
    expect(cookie).toMatch(/^lacre_language=es; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax/);
    const chosen = { cookie: cookie.split(';')[0]!, 'accept-language': 'en' };
    for (const path of ['/docs', '/docs/search?q=tique', '/downloads/', '/', '/portal'])
      expect(languageOf((await read(path, chosen)).body), path).toBe('es');
    expect((await read('/docs/tickets', chosen)).headers.get('set-cookie')).toBeNull();
  });

  test('each page names itself in both languages, and the one that is shown', async () => {
    for (const [path, address] of [
      ['/docs/tickets', '/docs/tickets?lang='],
      ['/docs/search?q=tique', '/docs/search?q=tique&amp;lang='],
      ['/', '/?lang='],
      ['/downloads/', '/downloads/?lang='],
    ]) {
      const { body } = await read(path!, SPANISH);
      for (const language of ['es', 'en'])
        expect(body).toContain(`<link rel="alternate" hreflang="${language}" href="${address}${language}">`);
      expect(body).toContain(`href="${address}es" lang="es" hreflang="es" aria-current="true"`);
    }
  });

  test('a page without a translation is shown in English, says so in Spanish, and is marked in lists', async () => {
    const { body } = await read('/docs/changelog', SPANISH);
    expect(languageOf(body)).toBe('en');
    expect(body).toContain('<h1 lang="es">Novedades</h1>');
    expect(body).toContain('<p class="note" lang="es">Esta página solo está disponible en inglés.</p>');
    expect(body).toContain('<header class="top" lang="es">');
    const { body: home } = await read('/docs', SPANISH);
    for (const { slug, language } of readGuides('es'))
      expect(home).toContain(`href="/docs/${slug}"${language === 'en' ? ' lang="en"' : ''}>`);
  });

  test('the schema is in English in a Spanish page, which says so', async () => {
    const { body } = await read('/docs/graphql-schema', SPANISH);
    expect(languageOf(body)).toBe('es');
    expect(body).toContain('Las descripciones están en inglés, como en el propio esquema.');
    expect(body).toContain('<h2 id="mutations">Mutaciones</h2>');
    expect(body.match(/<pre lang="en"/g)!.length).toBeGreaterThan(100);
    expect((await read('/docs/graphql-schema')).body).not.toContain('<pre lang');
  });

  test('the API reference names operations and groups, and says that fields are described in English', async () => {
    const { body } = await read('/docs/api', SPANISH);
    expect(languageOf(body)).toBe('es');
    expect(body).toContain('<td>Anular una factura</td>');
    expect(body).toContain('<h2>Libros registro</h2>');
    expect(body).toContain('describe los campos en inglés');
    const words = JSON.parse(/ data-words="([^"]*)"/.exec(body)![1]!.replaceAll('&quot;', '"'));
    expect(words.operations).toEqual(OPERATIONS_ES);
    expect(words.introduction).toContain('Los textos de los campos están en inglés.');
    expect((await read('/docs/api')).body).not.toContain('data-words');
  });

  test('every operation and every group of the reference has a Spanish name, and nothing else has one', () => {
    const ids = [...operations.values()].map(({ operationId }) => operationId).sort();
    expect(Object.keys(OPERATIONS_ES).sort()).toEqual(ids);
    const groups = [...operations.values()].flatMap(({ tags = [] }) => tags);
    expect(Object.keys(TAGS_ES).sort()).toEqual([...new Set(groups)].sort());
  });
});

test('every anchor of a guide leads to the same place in Spanish, and every link there resolves', async () => {
  const idsOf = (page: string) => [...page.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id);
  const pages = new Map<string, string>();
  for (const { slug, language } of readGuides('es')) {
    if (language === 'en') continue;
    const path = `/docs/${slug}`;
    const { body } = await read(path, SPANISH);
    expect(idsOf(body), slug).toEqual(idsOf((await read(path)).body));
    pages.set(path, body);
  }
  for (const [path, page] of [...pages]) {
    const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    for (const [, to] of main.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const { pathname, hash } = new URL(to!, `http://lacre.test${path}`);
      if (!pages.has(pathname)) pages.set(pathname, String((await read(pathname, SPANISH)).body));
      const there = pages.get(pathname)!;
      expect(there, `${path}: ${to}`).not.toContain('Esa página no existe.');
      if (hash !== '') expect(there, `${path}: ${to}`).toContain(` id="${hash.slice(1)}"`);
    }
  }
}, 60_000);

test('the page of errors has every code in Spanish, under the same anchors', async () => {
  const anchorsOf = (page: string) => [...page.matchAll(/data-entry id="(\w+)"/g)].map(([, id]) => id);
  const { body } = await read('/docs/errors', SPANISH);
  expect(languageOf(body)).toBe('es');
  expect(anchorsOf(body)).toEqual(anchorsOf((await read('/docs/errors')).body));
  expect(body.match(/<dt>Qué hacer<\/dt><dd>\S/g)).toHaveLength(anchorsOf(body).length);
  expect(body).toContain('La factura está anulada: a efectos legales no existió.');
});

test('the search finds Spanish pages by Spanish words, for who reads Spanish', async () => {
  const { body } = await read('/docs/search?q=factura+simplificada', SPANISH);
  expect(body).toContain('Tiques y el límite de 400 EUR');
  expect(body).toMatch(/<p role="status">\d+ resultados\.<\/p>|se muestran los 20 mejores/);
  const { body: none } = await read('/docs/search?q=zzzz', SPANISH);
  expect(none).toContain('Ninguna página contiene todas esas palabras.');
  expect((await read('/docs/search?q=ventanilla')).body).toContain('Nothing has all of these words.');
});

test('a guide as Markdown is in the language that is asked for, English for programs', async () => {
  expect((await read(`/docs/${'tickets'}.md?lang=es`)).body).toMatch(/^# Tiques y el límite/);
  expect((await read(`/docs/${'tickets'}.md`)).body).toMatch(/^# Tickets and the 400/);
});

test('what is not there is said in the reader’s language', async () => {
  const { status, body } = await read('/docs/nothing', SPANISH);
  expect({ status, language: languageOf(body) }).toEqual({ status: 404, language: 'es' });
  expect(body).toContain('Esa página no existe.');
  expect(body).not.toContain('class="languages"');
});
