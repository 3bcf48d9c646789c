import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/pages/browser.ts';

/** PDFs in pages of other origins: those that the environment of a link allows show and read them, and nobody else. */

const OURS = 'https://app.example.com';
const STAGE = 'http://localhost:5173';
const THEIRS = 'https://evil.example';

let service: TestService;
let invoice: { id: string; url: string };
beforeAll(async () => {
  service = await testService();
  const { body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  const query = `{ invoice(id: "${body.id}") { pdfUrl document(format: pdf) { url } } }`;
  const shown = (await service.graphql(query)).body.data.invoice;
  expect(shown.document.url).toBe(shown.pdfUrl);
  invoice = { id: body.id, url: shown.document.url.replace('http://lacre.test', service.url) };
});
afterAll(() => service.close());

const setOrigins = async (origins: readonly string[], key = service.company.test.key) => {
  const query = 'mutation ($origins: [String!]!) { setAllowedOrigins(origins: $origins) { origins } }';
  return (await service.graphql(query, { origins }, { key })).body;
};

beforeEach(async () => {
  await setOrigins([OURS, STAGE]);
  await setOrigins([], service.company.live.key);
});

const HEADERS = {
  framing: 'content-security-policy',
  ownFraming: 'x-frame-options',
  reader: 'access-control-allow-origin',
  exposed: 'access-control-expose-headers',
  vary: 'vary',
} as const;

async function read(url: string, origin?: string) {
  const answer = await fetch(url, origin === undefined ? {} : { headers: { origin } });
  const start = (await answer.text()).slice(0, 5);
  const headers = Object.entries(HEADERS).map(([name, header]) => [name, answer.headers.get(header)]);
  return { status: answer.status, start, ...(Object.fromEntries(headers) as typeof HEADERS) };
}

test('pages of the origins that the environment of the link allows may frame and read it', async () => {
  for (const url of [invoice.url, `${invoice.url}&paper=roll`]) {
    const framed = { start: '%PDF-', framing: `frame-ancestors ${OURS} ${STAGE}`, ownFraming: null };
    expect(await read(url)).toMatchObject({ status: 200, ...framed, reader: null });
    expect(await read(url, STAGE)).toMatchObject({ status: 200, ...framed, reader: STAGE });
  }
  const { exposed, vary } = await read(invoice.url, OURS);
  expect(exposed).toContain('Content-Disposition');
  expect(vary).toContain('Origin');
});

describe('nobody else frames or reads it', () => {
  const closed = { framing: "frame-ancestors 'none'", ownFraming: 'SAMEORIGIN', reader: null };

  test('where no origin is allowed', async () => {
    await setOrigins([]);
    expect(await read(invoice.url)).toMatchObject({ status: 200, ...closed });
    expect(await read(invoice.url, OURS)).toMatchObject({ status: 200, ...closed });
  });

  test('whose origin another environment allows', async () => {
    await setOrigins([]);
    await setOrigins([OURS], service.company.live.key);
    expect(await read(invoice.url, OURS)).toMatchObject({ status: 200, ...closed });
  });

  test.each([THEIRS, 'null', `${OURS}:8443`, 'http://app.example.com', `${OURS}.evil.example`])(
    'whose origin is %s',
    async (origin) => {
      const { framing, reader } = await read(invoice.url, origin);
      expect({ framing, reader }).toEqual({ framing: `frame-ancestors ${OURS} ${STAGE}`, reader: null });
    },
  );

  test('when the link opens nothing; a page that some environment allows reads why', async () => {
    const altered = `${invoice.url.slice(0, -1)}!`;
    expect(await read(altered, OURS)).toMatchObject({ status: 410, ...closed, reader: OURS });
    expect(await read(altered, THEIRS)).toMatchObject({ status: 410, ...closed });
    const unknown = invoice.url.replace(invoice.id, 'inv_1');
    expect(await read(unknown, OURS)).toMatchObject({ status: 404, ...closed, reader: OURS });
  });
});

test('document(format: pdf) has the bytes of the link too, and only structured formats have no link', async () => {
  const fields = 'filename mediaType content url';
  const query = `{ invoice(id: "${invoice.id}") { number pdf: document(format: pdf) { ${fields} } facturae: document(format: facturae) { ${fields} } ubl: document(format: ubl) { ${fields} } } }`;
  const { number, pdf, ubl } = (await service.graphql(query)).body.data.invoice;
  expect(pdf).toMatchObject({ mediaType: 'application/pdf', filename: `${number}.pdf` });
  const linked = Buffer.from(await (await fetch(invoice.url)).arrayBuffer());
  expect(Buffer.from(pdf.content, 'base64').equals(linked)).toBe(true);
  expect(ubl?.url ?? null).toBeNull();
});

test('origins are refused that are too long together for a header', async () => {
  const many = Array.from({ length: 50 }, (_, index) => `https://${'a'.repeat(55)}${index}.example`);
  expect((await setOrigins(many)).errors[0].extensions.errors).toMatchObject([
    { field: 'origins', message: 'must have at most 3000 characters together' },
  ]);
});

describe.skipIf(!hasBrowser)('in Chromium', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  /** A page of a front end. */
  async function frontEnd(): Promise<{ server: Server; origin: string }> {
    const script = `fetch("${invoice.url}").then((answer) => answer.blob()).then(({ size }) => { document.title = size > 1000 ? 'read' : 'empty' }, () => { document.title = 'refused' })`;
    const body = `<!doctype html><script>${script}</script><iframe src="${invoice.url}"></iframe>`;
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  test.each(['read', 'refused'])('the frame and a script have what the page may see: %s', async (outcome) => {
    const { server, origin } = await frontEnd();
    if (outcome === 'read') await setOrigins([origin]);
    const page = await (await browser.visitor()).newPage();
    await page.goto(origin);
    await expect.poll(() => page.title(), { timeout: 60_000 }).toBe(outcome);
    const framed = outcome === 'read' ? invoice.url : 'chrome-error://chromewebdata/';
    await expect.poll(() => page.frames()[1]?.url(), { timeout: 60_000 }).toBe(framed);
    await page.context().close();
    server.close();
  });
});
