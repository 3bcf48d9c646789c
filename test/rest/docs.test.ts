import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGuides } from '../../src/faces/docs/guides.ts';
import { type Site, siteAt } from '../../src/faces/docs/site.ts';
import { catalogue, codes } from '../../src/ground/errors/catalogue.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operations } from '../support/http/openapi.ts';

let service: TestService;
const pages = new Map<string, string>();

const get = (path: string, headers: Record<string, string> = {}) =>
  service.call('GET', path, { key: null, headers: { accept: 'text/html', ...headers } });
const addresses = (page: string) =>
  [...page.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'));

/** Every page that can be reached from the first one. */
async function readAll(path: string): Promise<void> {
  if (pages.has(path)) return;
  const { status, headers, body } = await get(path);
  expect({ path, status, type: headers.get('content-type') }).toEqual({
    ...{ path, status: 200, type: 'text/html; charset=utf-8' },
  });
  pages.set(path, body);
  for (const to of addresses(body)) {
    const { pathname, search } = new URL(to, `http://lacre.test${path}`);
    if (/^\/docs(\/[\w-]+)?$/.test(pathname) && search === '') await readAll(pathname);
  }
}

beforeAll(async () => {
  service = await testService();
  await readAll('/docs');
});
afterAll(() => service.close());

test('the guides to building and to running are there, each with those before and after it', () => {
  const building = [
    'first-invoice',
    'correcting',
    'polling',
    'webhooks',
    'idempotency',
    'test-triggers',
    'graphql',
  ];
  const running = ['going-live', 'operating', 'observability', 'command-line', 'deployment', 'scaling-out'];
  const keeping = ['backup-and-restore', 'upgrading'];
  for (const slug of [...building, 'customer-portal', ...running, ...keeping]) {
    expect(pages.get(`/docs/${slug}`), slug).toMatch(/<nav class="neighbours"[^>]*><a /);
  }
  for (const slug of ['api', 'errors', 'graphql-schema', 'declaracion-responsable']) {
    expect([...pages.keys()]).toContain(`/docs/${slug}`);
  }
});

test('every link and anchor of every page resolves', async () => {
  const fetched = new Map<string, number>();
  for (const [path, page] of pages) {
    for (const to of addresses(page)) {
      const { origin, pathname, search, hash } = new URL(to, `http://lacre.test${path}`);
      expect(origin, `${path}: ${to}`).toBe('http://lacre.test');
      const target = pathname + search;
      if (!fetched.has(target)) {
        fetched.set(target, pages.has(pathname) ? 200 : (await get(target)).status);
      }
      expect(fetched.get(target), `${path}: ${to}`).toBe(200);
      if (hash !== '')
        expect(pages.get(pathname), `${path}: ${to}`).toContain(` id="${decodeURIComponent(hash.slice(1))}"`);
    }
  }
  expect(fetched.size).toBeGreaterThan(20);
});

test('no page may run or load what is not ours', async () => {
  for (const path of pages.keys()) {
    const policy = (await get(path)).headers.get('content-security-policy') ?? '';
    expect(policy, path).toContain("default-src 'none'");
    expect(policy, path).toContain("script-src 'self'");
    expect(policy, path).not.toMatch(/http|\*|unsafe-eval/);
    // The viewer of the reference writes its styles into the page.
    if (path !== '/docs/api') expect(policy, path).not.toContain('unsafe');
    expect(pages.get(path), path).not.toMatch(/<script>|<style| on\w+=| style=/);
  }
});

describe('the page of errors', () => {
  test.each(codes)('%s has its anchor, status, meaning, remediation and an example', (code) => {
    const page = pages.get('/docs/errors')!;
    const [, section = ''] =
      new RegExp(`<section class="error"[^>]* id="${code}">([\\s\\S]*?)</section>`).exec(page) ?? [];
    const text = section.replace(/<[^>]*>/g, '').replace(/&quot;/g, '"');
    const { status, remediation } = catalogue[code];
    expect(text).toContain(`HTTP${status}`);
    expect(/<dt>Meaning<\/dt><dd>\S/.test(section) && /<dt>What to do<\/dt><dd>\S/.test(section)).toBe(true);
    expect(remediation.length, 'it says what to do').toBeGreaterThan(15);
    expect(text).toContain(`"doc_url": "http://lacre.test/docs/errors#${code}"`);
    expect(section.includes('Retry-After</dt>')).toBe([429, 503].includes(status));
  });
});

test('the schema has an anchor for each type and each operation, and is there as a file', async () => {
  const page = pages.get('/docs/graphql-schema')!;
  for (const id of ['Invoice', 'SafeInt', 'LineItemInput', 'Query.invoices', 'Mutation.issueInvoice']) {
    expect(page).toContain(` id="${id}"`);
  }
  const { body: printed } = await get('/docs/schema.graphql');
  const { body } = await service.graphql('{ __schema { types { name } } }');
  for (const { name } of body.data.__schema.types as { name: string }[]) {
    if (!/^__|^(String|Int|Float|Boolean|ID)$/.test(name))
      expect(printed).toMatch(new RegExp(`^\\w+ ${name}\\b`, 'm'));
  }
});

describe('search', () => {
  const found = async (query: string) => {
    const { body } = await get(`/docs/search?q=${encodeURIComponent(query)}`);
    const list = /<ol class="found">([\s\S]*?)<\/ol>/.exec(body)![1]!;
    return { body: body as string, addresses: addresses(list) };
  };

  test('finds sections of guides and codes that have all of the words, in any case and without accents', async () => {
    expect((await found('idempotency_conflict')).addresses[0]).toBe('/docs/errors#idempotency_conflict');
    expect((await found('VERIFY signature')).addresses[0]).toBe('/docs/webhooks#verify-the-signature');
    expect((await found('inversion sujeto pasivo')).addresses).toContain(
      '/docs/taxes#es_inversion_sujeto_pasivo',
    );
    for (const to of (await found('invoice')).addresses) {
      const [page = '', id] = to.split('#');
      expect(pages.get(page), to).toContain(id === undefined ? '<h1>' : ` id="${id}"`);
    }
  });

  test.each([
    ['devolución', '/docs/refunds-and-returns#a-refund'],
    ['devoluciones', '/docs/refunds-and-returns'],
    ['reembolso', '/docs/refunds-and-returns#a-refund'],
    ['abono', '/docs/refunds-and-returns#a-refund'],
    ['credit', '/docs/payments#after-a-correction'],
    ['suplido', '/docs/disbursements'],
    ['IRPF', '/docs/withholding#which-rate'],
    ['retenciones', '/docs/withholding#which-rate'],
    ['portes', '/docs/gross-prices#shipping'],
    ['cupón', '/docs/gross-prices#discounts'],
    ['cupones', '/docs/gross-prices#discounts'],
    ['gestoría', '/docs/for-the-tax-adviser'],
    ['cancel invoice', '/docs/correcting#void'],
    ['anular factura', '/docs/correcting#void'],
    ['suscripción', '/docs/repeating-invoices#invoices-that-repeat'],
  ])('%s finds what the pages call otherwise', async (query, page) => {
    expect((await found(query)).addresses).toContain(page);
  });

  test.each([
    ['void an invoice', '/docs/api#tag/invoices/POST/v1/invoices/{id}/void'],
    ['/v1/register_books', '/docs/api#tag/register-books/POST/v1/register_books'],
    ['frequency starts_on', '/docs/api#tag/drafts/POST/v1/invoice_schedules'],
  ])('%s finds the operation of REST', async (query, operation) => {
    expect((await found(query)).addresses).toContain(operation);
  });

  test('an excerpt keeps apart what a line break of the source does', async () => {
    expect((await found('combinations refuses identified recipient')).body).toContain(
      'what can be checked: rates',
    );
  });

  test('reports that nothing was found, and shows the query as text', async () => {
    const { body, addresses: none } = await found('"><script>zzz');
    expect(none).toEqual([]);
    expect(body).toContain('Nothing has all of these words.');
    expect(body).toContain('value="&quot;&gt;&lt;script&gt;zzz"');
    expect((await found('')).body).not.toContain('role="status"');
    expect((await found('a '.repeat(500))).addresses.length).toBeLessThanOrEqual(20);
  });
});

test('an unknown address is answered by a page, and pages can only be read', async () => {
  expect(await get('/docs/nothing')).toMatchObject({ status: 404 });
  expect(await get('/docs/pictures/../../package.json')).toMatchObject({ status: 404 });
  expect(await get('/docs/pictures/portal/invoice-phone-dark.png')).toMatchObject({ status: 404 });
  const { status, headers } = await service.call('POST', '/docs', { key: null });
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET' });
});

test('behind a proxy that has put the service below a path, its addresses begin with that path', async () => {
  const site: Site = siteAt({
    root: '/billing/docs',
    baseUrl: 'https://example.com/billing',
    language: 'es',
  });
  expect(site.pages.size).toBeGreaterThan(20);
  for (const [path, build] of site.pages) {
    for (const to of addresses(build())) expect(to, path).toMatch(/^(#|\/billing\/)/);
  }
});

test.each(['/docs', '/docs/errors', '/docs/errors.md', '/docs/schema.graphql', '/llms.txt'])(
  '%s is compressed, and not sent again to a browser that has it',
  async (path) => {
    const first = await get(path, { 'accept-encoding': 'br' });
    expect({ status: first.status, coding: first.headers.get('content-encoding') }).toEqual({
      ...{ status: 200, coding: 'br' },
    });
    const tag = first.headers.get('etag')!;
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(await get(path, { 'accept-encoding': 'br', 'if-none-match': tag })).toMatchObject({ status: 304 });
  },
);

describe('for programs that read', () => {
  const plain = (path: string) => service.call('GET', path, { key: null });

  test('/llms.txt names every guide as Markdown, and every address in it answers', async () => {
    const { status, headers, body } = await plain('/llms.txt');
    expect({ status, type: headers.get('content-type') }).toEqual({
      ...{ status: 200, type: 'text/markdown; charset=utf-8' },
    });
    const linked = [...body.matchAll(/\]\(http:\/\/lacre\.test(\/[^)]+)\)/g)].map(([, path]) => path!);
    expect(linked).toEqual(expect.arrayContaining(readGuides().map(({ slug }) => `/docs/${slug}.md`)));
    for (const path of linked)
      expect({ path, status: (await plain(path)).status }).toEqual({ path, status: 200 });
  });

  test('a guide is there as it was written, its pictures where they are served', async () => {
    const { headers, body } = await plain(`/docs/${'customer-portal'}.md`);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(body).toMatch(/^# Customer portal\n\n> /);
    const [, picture = ''] = /!\[[^\]]*\]\((\/docs\/pictures\/[^)]+)\)/.exec(body) ?? [];
    expect((await plain(picture)).headers.get('content-type')).toBe('image/png');
    expect((await plain(`/docs/${'errors'}.md`)).body).toContain('## invalid_tax_id\n\nHTTP 422.');
    expect((await plain(`/docs/${'none'}.md`)).status).toBe(404);
  });
});

describe('the Postman collection', () => {
  type Item = { name: string; item?: Item[]; request?: Sent };
  type Sent = {
    method: string;
    url: { path: string[]; variable: { key: string; value: string }[] };
    header: { key: string; value: string }[];
    body?: { raw: string };
  };

  test('holds every operation, and its requests are taken as they stand', async () => {
    const { body: collection } = await service.call('GET', '/docs/postman.json', { key: null });
    expect(collection.info.schema).toContain('v2.1.0');
    const requests = (collection.item as Item[]).flatMap(({ item }) => item!);
    const paths = requests.map(({ request }) => `${request!.method} /${request!.url.path.join('/')}`);
    const wanted = [...operations.keys()].map((name) => name.replaceAll(/\{(\w+)\}/g, ':$1'));
    expect([...new Set(paths)].sort()).toEqual(wanted.sort());
    for (const { name, request } of requests) {
      // What points at something points at something else here.
      if (
        request!.url.variable.length > 0 ||
        /rectif|substitution|portal|ticket_ids/i.test(JSON.stringify(request))
      )
        continue;
      const { method, url, header, body } = request!;
      // So does a link, and what is requested by values in the query.
      const { parameters = [] } = operations.get(`${method} /${url.path.join('/')}`) ?? {};
      if (parameters.some((one) => one.in === 'query' && one.required)) continue;
      const headers = Object.fromEntries(
        header.map(({ key, value }) => [key.toLowerCase(), value.replace('{{$guid}}', crypto.randomUUID())]),
      );
      const answer = await service.call(method, `/${url.path.join('/')}`, {
        headers,
        ...(body && { body: body.raw }),
      });
      expect({ name, status: answer.status }).toEqual({
        name,
        status: expect.toSatisfy((status) => status < 300),
      });
    }
  });
});
