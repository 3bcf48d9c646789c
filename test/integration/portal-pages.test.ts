import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIVE_SCRIPT } from '../../src/faces/web/live.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { Visitor } from '../support/http/visitor.ts';
import { aLink, aSale, aSaleLine, aShop, type Sale, type Shop } from '../support/pages/portal.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '8' });
  shop = await aShop(service);
});
afterAll(() => service.close());

const enter = async (customer: string, headers?: Record<string, string>, of = shop) =>
  new Visitor(service.url, headers).enter(await aLink(service, of, customer));

/** The numbers of the invoices on a page of the list, in its order. */
const numbersOn = (text: string) =>
  [...text.matchAll(/class="number"[^>]*>([^<]+)</g)].map(([, number]) => number);

async function setState(sale: Sale, status: string): Promise<void> {
  await service.db.pool.query(
    `update record_state set status = $2::registration_status where record_id in (
       select id from registration_record where invoice_id = $1)`,
    [sale.id, status],
  );
}

async function invoiceCount(): Promise<number> {
  const { rows } = await service.db.pool.query<{ n: number }>('select count(*)::int as n from invoice');
  return rows[0]!.n;
}

describe('the list', () => {
  const STATES = ['registered', 'pending', 'registered_with_errors', 'rejected', 'skipped'];
  let sales: Sale[];
  beforeAll(async () => {
    sales = [];
    for (const state of STATES) {
      const lineItems = [{ ...aSaleLine, description: `Cosa 100% ${state}_` }];
      const sale = await aSale(service, shop, 'lena', { lineItems, orderId: `pedido-${state}` });
      await setState(sale, state);
      sales.push(sale);
    }
  });

  test('shows the newest first, with their states as text', async () => {
    const { text } = await (await enter('lena')).get('/portal');
    expect(numbersOn(text)).toEqual(sales.map(({ number }) => number).reverse());
    const inWords = [
      'Registrada',
      'Registro en curso',
      'Registrada con avisos',
      'Registro en revisión',
      'Sin registrar',
    ];
    for (const words of inWords) expect(text).toContain(`>${words}</span>`);
  });

  test('is filtered by state', async () => {
    const lena = await enter('lena');
    for (const [index, state] of STATES.entries()) {
      const { text } = await lena.get(`/portal?state=${state}`);
      expect(numbersOn(text)).toEqual([sales[index]!.number]);
      expect(text).toContain(`<option value="${state}" selected>`);
    }
    expect(numbersOn((await lena.get('/portal?state=voided')).text)).toEqual([]);
  });

  test('is filtered by a text in number, order or lines, in any case, literally', async () => {
    const lena = await enter('lena');
    const found = async (words: string) =>
      numbersOn((await lena.get(`/portal?text=${encodeURIComponent(words)}`)).text);
    const numbers = sales.map(({ number }) => number).reverse();
    expect(await found(sales[1]!.number.toLowerCase())).toEqual([sales[1]!.number]);
    expect(await found('  PEDIDO-rejected ')).toEqual([sales[3]!.number]);
    expect(await found('cosa 100%')).toEqual(numbers);
    expect(await found('%')).toEqual(numbers);
    expect(await found('cosa_100')).toEqual([]);
    expect(await found('100_')).toEqual([]);
    expect(await found("' or 1=1 --")).toEqual([]);
    expect(await found('nothing of the kind')).toEqual([]);
  });

  test('is filtered by Madrid days, including the last', async () => {
    const lena = await enter('lena');
    const today = madridDay(clock.now());
    const yesterday = madridDay(new Date(clock.now().getTime() - 86_400_000));
    const count = async (query: string) => numbersOn((await lena.get(`/portal?${query}`)).text).length;
    expect(await count(`from=${today}`)).toBe(5);
    expect(await count(`to=${today}`)).toBe(5);
    expect(await count(`from=${today}&to=${today}`)).toBe(5);
    expect(await count(`to=${yesterday}`)).toBe(0);
    expect(await count(`from=${yesterday}&to=${today}&state=pending&text=cosa`)).toBe(1);
  });

  test.each([
    ['from=2026-02-30', 'Esa fecha no existe.'],
    ['to=yesterday', 'Esa fecha no existe.'],
    ['from=0000-01-01', 'Esa fecha no existe.'],
    ['to=9999-12-31', 'Esa fecha no existe.'],
    ['from=2026-02-02&to=2026-02-01', 'La fecha final es anterior a la inicial.'],
    ['state=paid', 'Elija un estado de la lista.'],
    [`text=${'x'.repeat(201)}`, 'Escriba como mucho 200 caracteres, sin caracteres de control.'],
    ['text=a%00b', 'Escriba como mucho 200 caracteres, sin caracteres de control.'],
  ])('shows the error beside the field: %s', async (query, fault) => {
    const { status, text } = await (await enter('lena')).get(`/portal?${query}`);
    expect(status).toBe(400);
    expect(text).toMatch(
      new RegExp(`aria-describedby="(\\w+)-fault" aria-invalid="true"[^]*id="\\1-fault">${fault}<`),
    );
    expect(numbersOn(text)).toEqual([]);
  });

  test('continues page by page, with its filter, without repeating or skipping', async () => {
    const all: string[] = [];
    for (let n = 0; n < 45; n += 1) all.unshift((await aSale(service, shop, 'mara')).number);
    const mara = await enter('mara');
    const seen: (string | undefined)[] = [];
    let address = '/portal?text=camiseta';
    for (let page = 0; page < 3; page += 1) {
      const { text } = await mara.get(address);
      seen.push(...numbersOn(text));
      const next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      if (page < 2) expect(next).toContain('text=camiseta');
      else expect(next).toBeUndefined();
      address = next ?? '';
    }
    expect(seen).toEqual(all);
  });

  test('of a customer without invoices states so', async () => {
    await aSale(service, shop, 'nora');
    const nora = await enter('nora');
    expect((await nora.get('/portal?text=zzz')).text).toContain('Ninguna factura coincide con la búsqueda.');
  });
});

describe('the language', () => {
  test.each([
    [undefined, 'es'],
    ['en', 'en'],
    ['en-US,es;q=0.5', 'en'],
    ['de, es;q=0.3, en;q=0.7', 'en'],
    ['en;q=0, es', 'es'],
    ['ca, gl;q=0.8', 'es'],
    ['*', 'es'],
    [';;q=,,=', 'es'],
  ])('of a browser that accepts %s is %s', async (header, language) => {
    const answer = await new Visitor(
      service.url,
      header === undefined ? {} : { 'accept-language': header },
    ).get('/portal');
    expect(answer.text).toContain(`<html lang="${language}">`);
  });

  test('is changed by a link, persists, and keeps the filter', async () => {
    const visitor = await enter('lena');
    const { text } = await visitor.get('/portal?state=pending&text=cosa');
    const link = /href="([^"]+)" lang="en"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const english = (await visitor.get(link)).text;
    expect(english).toContain('<html lang="en">');
    expect(english).toContain('Being registered');
    expect(numbersOn(english)).toHaveLength(1);
    expect((await visitor.get('/portal')).text).toContain('<h1>Your invoices</h1>');
    expect((await visitor.get('/portal?lang=xx')).text).toContain('<html lang="en">');
    expect((await visitor.get('/portal?lang=es')).text).toContain('<html lang="es">');
  });
});

test('texts of callers are escaped', async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;\u202Eeslaf`;
  const sale = await aSale(service, shop, 'zoe', {
    customer: { name: hostile },
    orderId: hostile,
    type: 'complete',
    notes: `${hostile}\n${hostile}`,
    recipient: {
      name: 'García Pérez Ana',
      companyName: `${hostile} SL`.slice(0, 100),
      taxId: 'X1234567L',
      address: { line1: hostile, line2: hostile, postalCode: '28001', city: hostile, country: 'ES' },
    },
    lineItems: [{ ...aSaleLine, description: hostile, sku: hostile.slice(0, 100) }],
  });
  const zoe = await enter('zoe');
  for (const path of [
    '/portal',
    `/portal?text=${encodeURIComponent(hostile)}`,
    `/portal/invoices/${sale.id}`,
  ]) {
    const { status, text } = await zoe.get(path);
    expect(status).toBe(200);
    expect(text.replace(LIVE_SCRIPT.markup, '')).not.toMatch(/<script|<img|\sonerror='/);
    expect(text).toContain('&lt;script&gt;');
  }
  expect((await zoe.get(`/portal/invoices/${sale.id}`)).text).toContain('<bdi>&quot;&gt;&lt;script');
});

test('the PDF is that of the invoice, to be kept as a file of its name', async () => {
  const sale = await aSale(service, shop, 'pau');
  const { status, headers, bytes } = await (await enter('pau')).get(`/portal/invoices/${sale.id}/pdf`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/pdf');
  expect(headers.get('content-disposition')).toBe(`attachment; filename="${sale.number}.pdf"`);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
});

describe('exchanging a ticket', () => {
  const RECIPIENT = {
    name: 'García Pérez Ana',
    taxId: '12345678Z',
    taxIdType: '',
    taxIdCountry: '',
    line1: 'Calle Mayor 1',
    line2: '',
    postalCode: '28001',
    city: 'Madrid',
    country: 'ES',
    email: 'ana@example.com',
  };
  const formOf = (sale: Sale) => `/portal/invoices/${sale.id}/exchange`;

  test('gives the complete invoice, which the customer then has', async () => {
    const sale = await aSale(service, shop, 'ines', {
      customer: { name: 'Inés Gil', email: 'ines@example.com' },
    });
    const ines = await enter('ines');
    const form = await ines.get(formOf(sale));
    expect(form.text).toContain('value="Inés Gil"');
    expect(form.text).toContain('value="ines@example.com"');
    expect(form.text).toContain('<option value="ES" selected>España</option>');
    const answer = await ines.post(formOf(sale), RECIPIENT);
    expect(answer.status).toBe(303);
    const page = await ines.get(answer.location!);
    expect(page.text).toContain('role="status"');
    expect(page.text).toContain('Factura por canje de un tique');
    expect(page.text).toContain('12345678Z');
    expect(page.text).toContain(`>${sale.number}</a>`);
    const { rows } = await service.db.pool.query(
      "select actor, action from environment_audit_entry where action = 'exchange_invoices'",
    );
    expect(rows).toEqual([{ actor: expect.stringMatching(/^cps_/), action: 'exchange_invoices' }]);
    const list = (await ines.get('/portal')).text;
    expect(numbersOn(list)).toHaveLength(2);
    expect(list).toContain('>Canjeada</span>');
    const ticket = (await ines.get(`/portal/invoices/${sale.id}`)).text;
    expect(ticket).toContain('Sustituida por la factura completa');
    expect(ticket).not.toContain('/exchange"');
    expect((await ines.get(formOf(sale))).location).toBe(`/portal/invoices/${sale.id}`);
  });

  test('is done once, however often it is sent', async () => {
    const sale = await aSale(service, shop, 'ivo');
    const ivo = await enter('ivo');
    const token = await ivo.token();
    const before = await invoiceCount();
    const answers = await Promise.all([1, 2, 3].map(() => ivo.post(formOf(sale), { ...RECIPIENT, token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
    expect(await invoiceCount()).toBe(before + 1);
    const issued = answers.find(({ status }) => status === 303)!.location!.split('?')[0];
    const late = answers.find(({ status }) => status === 422)!.text;
    expect(late).toContain('Este tique ya se canjeó por una factura completa.');
    expect(late).toContain(`href="${issued}"`);
  });

  test.each<[what: string, parts: Partial<typeof RECIPIENT>, faults: Record<string, string>]>([
    [
      'nothing at all',
      { name: '', taxId: '', line1: '', postalCode: '', city: '', country: '' },
      {
        name: 'Este dato es necesario.',
        taxId: 'Este dato es necesario.',
        line1: 'Este dato es necesario.',
        postalCode: 'Este dato es necesario.',
        city: 'Este dato es necesario.',
        country: 'Este dato es necesario.',
      },
    ],
    ['a name of one letter', { name: 'A' }, { name: 'El nombre debe tener entre 2 y 100 caracteres.' }],
    ['a name of 101', { name: 'x'.repeat(101) }, { name: 'El nombre debe tener entre 2 y 100 caracteres.' }],
    ['a name of 201', { name: 'x'.repeat(201) }, { name: 'El texto es demasiado largo.' }],
    ['control characters', { city: 'a\u0001b' }, { city: 'El texto contiene caracteres no admitidos.' }],
    [
      'a NIF with a slip',
      { taxId: '12345678A' },
      { taxId: 'El número de identificación no es correcto: revise cada letra y cada cifra.' },
    ],
    [
      'a name that the census does not know',
      { name: 'NO CENSADO SL' },
      { taxId: 'Este número no consta en el censo con ese nombre. Revise ambos.' },
    ],
    [
      'a VAT number that is not registered',
      { taxId: 'FR40303265200', country: 'FR' },
      { taxId: 'Este número no consta en el censo con ese nombre. Revise ambos.' },
    ],
    [
      'a passport without its country',
      { taxIdType: 'passport', taxId: 'AB123' },
      { taxIdCountry: 'Este dato es necesario.' },
    ],
    [
      'a NIF of another country',
      { taxIdType: 'es_nif', taxIdCountry: 'FR' },
      { taxIdType: 'El tipo de identificación, el número y el país no encajan.' },
    ],
    ['a type that is not offered', { taxIdType: 'x' }, { taxIdType: 'Elija una de las opciones.' }],
    ['a country that is none', { country: 'XX' }, { country: 'Elija el país de la lista.' }],
    ['no code of a country', { country: 'Spain' }, { country: 'Elija el país de la lista.' }],
    ['no address of email', { email: 'nobody' }, { email: 'El formato no es correcto.' }],
  ])('shows the error beside the fields: %s, and issues nothing', async (_what, parts, faults) => {
    const sale = await aSale(service, shop, 'iris');
    const before = await invoiceCount();
    const answer = await (await enter('iris')).post(formOf(sale), { ...RECIPIENT, ...parts });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    const shown = [...answer.text.matchAll(/class="fault" id="(\w+)-fault">([^<]+)</g)].map(
      ([, field, text]) => [field, text],
    );
    expect(Object.fromEntries(shown)).toEqual(faults);
    for (const field of Object.keys(faults)) {
      expect(answer.text).toContain(`<a href="#${field}">`);
      expect(answer.text).toMatch(new RegExp(`id="${field}" name="${field}"[^>]*aria-invalid="true"`));
    }
    expect(answer.text).toContain('<title>Error: ');
    if (!('line1' in parts)) expect(answer.text).toContain('value="Calle Mayor 1"');
    expect(await invoiceCount()).toBe(before);
  });

  test('with a register that is down keeps the input, and requests a retry', async () => {
    const sale = await aSale(service, shop, 'igor');
    const before = await invoiceCount();
    const igor = await enter('igor');
    const answer = await igor.post(formOf(sale), { ...RECIPIENT, name: 'CENSO CAIDO SL' });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.text).toContain('No podemos comprobar su identificación');
    expect(answer.text).toContain('value="CENSO CAIDO SL"');
    expect(await invoiceCount()).toBe(before);
    expect((await igor.post(formOf(sale), RECIPIENT)).status).toBe(303);
  });

  test('waits until the ticket is registered', async () => {
    const sale = await aSale(service, shop, 'ida');
    const ida = await enter('ida');
    await setState(sale, 'pending');
    const page = await ida.get(`/portal/invoices/${sale.id}`);
    expect(page.text).toContain('Podrá pedir la factura completa en cuanto');
    const answer = await ida.post(formOf(sale), RECIPIENT);
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('está en curso');
    await setState(sale, 'registered');
    expect((await ida.post(formOf(sale), RECIPIENT)).status).toBe(303);
  });

  test('is for tickets only', async () => {
    const recipient = {
      name: 'García Pérez Ana',
      taxId: '12345678Z',
      address: { line1: 'a', postalCode: '1', city: 'b', country: 'ES' },
    };
    const sale = await aSale(service, shop, 'ilya', { type: 'complete', recipient });
    const ilya = await enter('ilya');
    const before = await invoiceCount();
    expect((await ilya.get(formOf(sale))).location).toBe(`/portal/invoices/${sale.id}`);
    const answer = await ilya.post(formOf(sale), RECIPIENT);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('No se puede expedir la factura completa');
    expect(await invoiceCount()).toBe(before);
  });

  test('cannot be used to probe tax ids', async () => {
    const sale = await aSale(service, shop, 'otto');
    const otto = await enter('otto');
    const statuses = [];
    for (let n = 0; n < 9; n += 1) {
      statuses.push(await otto.post(formOf(sale), { ...RECIPIENT, name: 'NO CENSADO SL' }));
    }
    expect(statuses.map(({ status }) => status)).toEqual([...Array(8).fill(422), 429]);
    expect(statuses.at(-1)!.text).toContain('Demasiados intentos');
    expect(statuses.at(-1)!.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
