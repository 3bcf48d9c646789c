import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SPANISH } from '../../src/faces/console/spanish/all.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { anOperator, anonymousVisitor } from '../support/pages/console.ts';
import { type ConsoleAddresses, consoleAddresses } from '../support/pages/console-addresses.ts';

let simulator: TestSimulator;
let service: TestService;
let key: string;
let addresses: ConsoleAddresses;
beforeAll(async () => {
  simulator = await testSimulator();
  service = await testService({}, { simulator });
  ({ key } = await anOperator(service));
  addresses = await consoleAddresses(service, simulator);
});
afterAll(() => service?.close());

async function operatorWhoReads(languages: string): Promise<Visitor> {
  const visitor = anonymousVisitor(service, { 'accept-language': languages });
  const { status } = await visitor.post('/console/login', { key });
  expect(status).toBe(303);
  return visitor;
}

const words = new Set<string>(Object.values(SPANISH));

/** What a page would show in English: the texts as they are, those with places as patterns. */
const ENGLISH = Object.entries(SPANISH).flatMap(([text, spanish]) => {
  const shown = text.split('|', 1)[0]!;
  if (shown === spanish || words.has(shown)) return [];
  const parts = shown.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // A text that is little more than its places says nothing of its language.
  return /[a-z]{3}/i.test(parts.join('')) ? [new RegExp(`^${parts.join('.+')}$`)] : [];
});

/** Words that no Spanish text has. */
const ENGLISH_WORDS = /\b(the|of|and|is|are|was|with|this|not|it|its|has|been|all|when|which|ago)\b/i;

/** The pieces of text that a page shows as its own: people's and programs' words, and what is marked as English, are not. */
function textsOf(page: string): string[] {
  const own = page
    .replace(/<(head|style|script|bdi|code|pre|textarea|option value="[^"]*"[^>]*lang)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<(\w+)[^>]* lang="en"[^>]*>[\s\S]*?<\/\1>/g, '');
  const attributes = [...own.matchAll(/ (?:aria-label|placeholder|data-label)="([^"]*)"/g)].map(
    ([, text]) => text!,
  );
  const title = /<title>([^<]*)<\/title>/.exec(page)?.[1] ?? '';
  return [title, ...attributes, ...own.replace(/<[^>]*>/g, '\n').split('\n')]
    .map((text) => text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').trim())
    .filter((text) => text !== '');
}

const englishIn = (page: string): string[] =>
  textsOf(page).filter((text) => ENGLISH_WORDS.test(text) || ENGLISH.some((pattern) => pattern.test(text)));

describe('in Spanish', () => {
  test('no page, and no form of an action, shows a label or a sentence in English', async () => {
    const ana = await operatorWhoReads('es-ES,es;q=0.9,en;q=0.5');
    const found: Record<string, string[]> = {};
    for (const [pattern, path] of [...addresses.pages, ...addresses.actions]) {
      const { status, text } = await ana.get(`/console${path}`);
      expect(status, path).toBe(200);
      expect(text, path).toContain('<html lang="es">');
      const english = englishIn(text);
      if (english.length > 0) found[pattern] = english;
    }
    expect(found).toEqual({});
    const ada = await operatorWhoReads('en');
    const overview = (await ada.get('/console')).text.replace('<html lang="en">', '<html>');
    expect(englishIn(overview).length, 'what is found in English').toBeGreaterThan(20);
  });

  test('neither do the pages of refusals, of failures and of the login', async () => {
    const ana = await operatorWhoReads('es');
    const found: Record<string, string[]> = {};
    const note = (what: string, { text }: { text: string }) => {
      expect(text, what).toContain('<html lang="es">');
      const english = englishIn(text);
      if (english.length > 0) found[what] = english;
    };
    note('not there', await ana.get('/console/chains/999999'));
    note('not found', await ana.get('/console/nowhere'));
    note('no reason', await ana.post(`/console/invoices/${addresses.registered}/void`, { reason: '' }));
    const fields = { reason: 'x', taxId: '12345678A', name: 'Ana', line1: 'x', postalCode: '1', city: 'x' };
    note('a wrong field', await ana.post(`/console/invoices/${addresses.registered}/exchange`, fields));
    note('no token', await ana.post(`/console/chains/${addresses.company.chainId}/pause`, { token: 'no' }));
    const nobody = anonymousVisitor(service, { 'accept-language': 'es' });
    note('login', await nobody.get('/console/login'));
    note('a wrong key', await nobody.post('/console/login', { key: 'op_wrong' }));
    expect(found).toEqual({});
  });

  test('amounts, days and counts are written as in Spain', async () => {
    const ana = await operatorWhoReads('es');
    const { text } = await ana.get(`/console/invoices/${addresses.registered}`);
    expect(text).toMatch(/\d+,\d\d\s€/);
    expect(text).toMatch(/\d{1,2} (ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic) \d{4}/);
  });
});

describe('the language', () => {
  test('is that of the browser, English where it wants neither', async () => {
    const lang = async (wanted: string) =>
      /<html lang="(\w+)">/.exec((await (await operatorWhoReads(wanted)).get('/console')).text)?.[1];
    expect(await lang('es-MX, en;q=0.3')).toBe('es');
    expect(await lang('en, es;q=0.3')).toBe('en');
    expect(await lang('fr')).toBe('en');
  });

  test('is changed by a link to the same page, and stays changed, also on the page of the login', async () => {
    const ana = await operatorWhoReads('en');
    const { companyId } = addresses.company.company;
    const { text } = await ana.get(`/console/companies/${companyId}/drafts?environment=test`);
    const link = /href="([^"]*lang=es)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    expect(link).toBe(`/console/companies/${companyId}/drafts?environment=test&lang=es`);
    expect((await ana.get(link)).text).toContain('<h1>Borradores</h1>');
    expect((await ana.get('/console')).text).toContain('<h1>Resumen</h1>');
    ana.cookies.delete('lacre_console');
    expect((await ana.get('/console/login')).text).toContain('Clave de operador');
  });

  test('has a Spanish text with the same places for each English one', () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
    const different = Object.entries(SPANISH).filter(
      ([english, spanish]) => places(english).join() !== places(spanish).join(),
    );
    expect(different).toEqual([]);
  });
});
