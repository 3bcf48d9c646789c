import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { currentDeclaration } from '../../src/subjects/declaration/current-declaration.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({
    SOFTWARE_PRODUCER_NAME: 'Facturas <& Cía> SL',
    SOFTWARE_PRODUCER_ADDRESS: 'Calle Mayor 1, 28001 Madrid, España',
    SOFTWARE_DECLARATION_PLACE: 'Sevilla, España',
    SOFTWARE_PRODUCER_CONTACT: 'ayuda@example.com',
  });
});
afterAll(async () => {
  clock.reset();
  await service.close();
});

const PAGE = '/docs/declaracion-responsable';
const get = (path: string) => service.call('GET', path, { key: null });

test('contains what the Order requires, under its title, in its order, each datum after its description', async () => {
  const { text } = await currentDeclaration(service.db, service.services.config);
  const [title, ...paragraphs] = text.trimEnd().split('\n\n');
  expect(title).toBe('DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN');
  const items = paragraphs.slice(0, 12);
  expect(items.map((item) => item.slice(0, 2))).toEqual([...'abcdefghijkl'].map((letter) => `${letter})`));
  for (const item of items) expect(item).toMatch(/^[a-l]\) [^:]+: \S/);
  const { software } = service.services.config;
  const values = Object.fromEntries(items.map((item) => [item[0], item.slice(item.indexOf(': ') + 2)]));
  expect(values).toMatchObject({
    ...{
      a: software.name,
      b: software.id,
      c: software.version,
      h: 'Facturas <& Cía> SL',
      i: software.producerNif,
    },
    ...{
      j: 'Calle Mayor 1, 28001 Madrid, España',
      l: expect.stringMatching(/^\d\d\/\d\d\/\d{4}, en Sevilla, España$/),
    },
  });
  expect(values['k']).toContain('artículo 29.2.j) de la Ley 58/2003');
  expect(values['k']).toContain(`versión ${software.version}`);
  expect(paragraphs[12]).toBe('ANEXO');
  expect(text).toContain('ayuda@example.com');
});

test('is public in the documentation, and can be downloaded as a text', async () => {
  const { status, headers, body } = await get(PAGE);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(body).toContain('<html lang="es">');
  expect(body).toContain('<h1>DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN</h1>');
  expect(body).toContain('Facturas &lt;&amp; Cía&gt; SL');
  expect((await get('/docs')).body).toContain(`href="${PAGE}"`);
  const [, link = ''] = /href="(\/docs\/declaracion-responsable\/[0-9a-f]{64})"/.exec(body as string) ?? [];
  const download = await get(link);
  expect(download.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(download.headers.get('content-disposition')).toMatch(
    /^attachment; filename="declaracion-responsable-[\d.]+(?:-rc)?\.txt"$/,
  );
  expect(
    createHash('sha256')
      .update(download.body as string)
      .digest('hex'),
  ).toBe(link.split('/').at(-1));
  expect((await get(`${PAGE}/${'0'.repeat(64)}`)).status).toBe(404);
});

test('is the same for as long as the version runs, and stays listed when another follows', async () => {
  const { db, services } = service;
  const first = await currentDeclaration(db, services.config);
  clock.shift(3 * 86_400_000);
  expect(await currentDeclaration(db, services.config)).toEqual(first);
  const next = { ...services.config, software: { ...services.config.software, version: '9.0.0' } };
  const second = await currentDeclaration(db, next);
  const moved = {
    ...services.config,
    declaration: { ...services.config.declaration, producerAddress: 'Calle Nueva 2, 41001 Sevilla, España' },
  };
  const third = await currentDeclaration(db, moved);
  expect(third).toMatchObject({ version: first.version });
  expect(third.text).not.toBe(first.text);
  clock.reset();
  const { body } = await get(PAGE);
  for (const { sha256 } of [first, second, third]) expect(body).toContain(`${PAGE}/${sha256}`);
  expect(body).toContain('Versiones anteriores');
  const both = await Promise.all([currentDeclaration(db, next), currentDeclaration(db, next)]);
  expect(both).toEqual([second, second]);
});
