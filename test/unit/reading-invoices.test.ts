import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_BYTES, UNPACKED_BYTES, XML_DEPTH } from '../../packages/reader/src/limits.ts';
import { type ReadDocument, readFile } from '../../packages/reader/src/read-file.ts';
import { isUnitCode } from '../../packages/reader/src/rules/unit-codes.ts';
import { readInWorker } from '../../src/faces/cli/reading/read-in-worker.ts';
import type { Db } from '../../src/ground/db/client.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { isUnitCode as isUnitOfOurs } from '../../src/ground/lib/unit-codes.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { ciiOf } from '../../src/subjects/formats/en16931/cii.ts';
import { semanticInvoice } from '../../src/subjects/formats/en16931/invoice.ts';
import { ublOf } from '../../src/subjects/formats/en16931/ubl.ts';
import { facturaeOf, textOf } from '../../src/subjects/formats/facturae/facturae.ts';
import { signed, signerOf } from '../../src/subjects/formats/facturae/signature/sign.ts';
import { newAuthority, seal } from '../support/agency/certificates.ts';
import { invoiceContent } from '../support/documents/invoice-content.ts';
import { facturaeSource, sourceLine } from '../support/formats/facturae-source.ts';
import { done, semanticInvoiceOf } from '../support/formats/format-source.ts';
import { INVALID_DOCUMENTS } from '../support/formats/invalid-documents.ts';
import { randomInvoice } from '../support/formats/random-invoices.ts';
import { commandLine } from '../support/processes/command-line.ts';
import { INVALID_FACTURAE } from './invalid-facturae.ts';
import { pdfWith, zipOf } from './reading-containers.ts';

const ubl = ublOf(semanticInvoiceOf());
const cii = done(ciiOf(semanticInvoiceOf()));

async function read(bytes: Buffer | string): Promise<ReadDocument> {
  const { documents } = await readFile('given', Buffer.from(bytes));
  expect(documents).toHaveLength(1);
  return documents[0]!;
}

const rulesOf = async (bytes: Buffer | string) => (await read(bytes)).findings.map(({ rule }) => rule);
const refusedAs = async (bytes: Buffer | string) => {
  const refused = await readFile('given', Buffer.from(bytes)).then(
    () => 'read',
    (error: { code?: string }) => error.code,
  );
  return refused;
};

test('each format says the same of the same invoice', async () => {
  const documents = [await read(ubl), await read(cii)];
  for (const { invoices, findings, signature } of documents) {
    expect({ findings, signature }).toEqual({ findings: [], signature: null });
    expect(invoices).toMatchObject([
      {
        ...{ number: 'F-2026-1', issuedOn: '2026-07-01', typeCode: '380', currency: 'EUR' },
        seller: { vatId: 'ESB72877814' },
        totals: { lines: '100.00', vat: '21.00', withVat: '121.00', due: '121.00' },
        taxes: [{ category: 'S', rate: '21', base: '100.00', tax: '21.00' }],
        lines: [{ quantity: '1', price: '100.00', amount: '100.00', category: 'S', rate: '21' }],
      },
    ]);
  }
});

test('what we write of random invoices breaks none of the rules that we read by', async () => {
  let written = 0;
  for (let seed = 0; seed < 60; seed += 1) {
    const invoice = semanticInvoice(randomInvoice(seed).source);
    if (isRefusal(invoice)) continue;
    const inCii = ciiOf(invoice);
    for (const document of [ublOf(invoice), ...(isRefusal(inCii) ? [] : [inCii])]) {
      expect({ seed, rules: await rulesOf(document) }).toEqual({ seed, rules: [] });
      written += 1;
    }
  }
  expect(written).toBeGreaterThan(40);
});

describe('rules without anybody’s schemas', () => {
  /** An element that there is not, and a scheme of addresses that is on no list, are left to the published ones. */
  const LEFT = new Set(['an element that there is not', 'an address of no scheme']);
  test.each(INVALID_DOCUMENTS.filter(({ what }) => !LEFT.has(what)))(
    '$syntax $rule: $what',
    async (changed) => {
      const model = semanticInvoiceOf(changed.given);
      const document = String(changed.syntax === 'ubl' ? ublOf(model) : done(ciiOf(model)));
      const rule = changed.rule === 'schema' ? 'day' : changed.rule;
      expect(await rulesOf(changed.edit(document))).toContain(rule);
    },
  );

  test.each(INVALID_FACTURAE)('Facturae %s', async (rule, right, wrong) => {
    const text = textOf(done(facturaeOf(facturaeSource())));
    expect(await rulesOf(text)).toEqual([]);
    const changed = text.replace(right, wrong);
    expect(changed).not.toBe(text);
    expect(await rulesOf(changed)).toContain(`Facturae ${rule}`);
  });
});

describe('a signed document', () => {
  const authority = newAuthority();
  const issued = authority.issue({ subject: seal('B72877814') });
  const signer = signerOf({ cert: issued.cert + authority.ca, key: issued.key })!;
  const source = facturaeSource({ lines: [sourceLine(10_000), sourceLine(500, { description: 'B & <b>' })] });
  const AT = new Date(Date.now() + 1_000);
  let text: string;
  beforeAll(async () => {
    text = textOf(await signed(done(facturaeOf(source)), signer, AT));
  });
  const faultsOf = async (given: string) => (await read(given)).signature!.faults.join('; ');

  test('is complete, and names its author', async () => {
    const { signature, findings } = await read(text);
    expect(findings).toEqual([]);
    expect(signature).toMatchObject({ isIntact: true, faults: [], signer: { nif: 'B72877814' } });
    expect(signature!.signedAt).toBe(`${AT.toISOString().slice(0, 19)}Z`);
  });

  test.each([
    ['an amount', '<InvoiceTotal>127.05', '<InvoiceTotal>27.05', 'the document was changed'],
    ['the moment', 'SigningTime>2', 'SigningTime>1', 'SignedProperties was changed'],
    ['the key', '<ds:Exponent>AQAB', '<ds:Exponent>AQAC', 'KeyInfo was changed'],
    ['what is signed', 'Id="Signature-Document"', 'Id="Other"', 'not of this certificate’s key'],
  ])('does not hold when somebody changes %s', async (_what, right, wrong, fault) => {
    expect(text).toContain(right);
    expect(await faultsOf(text.replace(right, wrong))).toContain(fault);
  });

  test('that is wrapped into another does not make that one signed', async () => {
    const forged = textOf(done(facturaeOf(facturaeSource({ lines: [sourceLine(90_000)] }))));
    const [signature = ''] = /<ds:Signature [\s\S]*<\/ds:Signature>/.exec(text) ?? [];
    const original = text.replace(/^<\?xml[^>]*>\s*/, '');
    const end = '</fe:Facturae>';
    const wrappings = [
      // The signature alone beside other content; the signed document whole within it; or in an object of the signature.
      forged.replace(end, `${signature}${end}`),
      forged.replace(end, `${original}${end}`),
      forged.replace(
        end,
        `${signature.replace('</ds:Signature>', `<ds:Object>${original}</ds:Object></ds:Signature>`)}${end}`,
      ),
      // The reference led to a part that is the signed document.
      forged.replace(
        end,
        `${signature.replace('URI=""', 'URI="#x"')}<Extensions>${original.replace('<fe:Facturae', '<fe:Facturae Id="x"')}</Extensions>${end}`,
      ),
    ];
    for (const wrapped of wrappings) {
      const { signature: found, invoices } = await read(wrapped);
      expect(found?.isIntact).toBe(false);
      expect(invoices).toMatchObject([{ totals: { withVat: '1089.00' } }]);
    }
  });

  test('is read with what comments hide from others', async () => {
    // The canonical form knows no comments, so the signature holds; both parts of the number are read.
    const { signature, invoices } = await read(
      text.replace('<InvoiceTotal>127', '<InvoiceTotal>1<!-- x -->27'),
    );
    expect(signature?.isIntact).toBe(true);
    expect(invoices[0]!.totals.withVat).toBe('127.05');
  });

  test('with two elements of one identifier, or two signatures, is not taken', async () => {
    const twice = text.replace('<Parties>', '<Parties Id="Signature-KeyInfo">');
    expect(await faultsOf(twice)).toContain('no part of it');
    const [signature = ''] = /<ds:Signature [\s\S]*<\/ds:Signature>/.exec(text) ?? [];
    expect(await faultsOf(text.replace('</fe:Facturae>', `${signature}</fe:Facturae>`))).toContain(
      'several signatures',
    );
  });

  test('by another key under the same name is not taken', async () => {
    const other = newAuthority().issue({ subject: seal('B72877814') });
    const theirs = textOf(
      await signed(done(facturaeOf(source)), signerOf({ cert: issued.cert, key: other.key })!, AT),
    );
    expect(await faultsOf(theirs)).toContain('not of this certificate’s key');
  });
});

describe('hostile XML', () => {
  const withDoctype = (doctype: string) =>
    String(ubl).replace('?>\n', `?>\n${doctype}`).replace('F-2026-1<', '&e;<');
  test.each([
    ['an entity', withDoctype('<!DOCTYPE Invoice [<!ENTITY e "x">]>')],
    ['an external entity', withDoctype('<!DOCTYPE Invoice [<!ENTITY e SYSTEM "file:///etc/passwd">]>')],
    [
      'a document type alone',
      String(ubl).replace('?>\n', '?>\n<!DOCTYPE Invoice SYSTEM "http://127.0.0.1/x.dtd">'),
    ],
    ['an entity that nobody declared', String(ubl).replace('F-2026-1<', '&e;<')],
    ['a thousand levels', `${'<a>'.repeat(1_000)}${'</a>'.repeat(1_000)}`],
    ['a million elements', `<a>${'<b/>'.repeat(1_000_000)}</a>`],
    ['a million attributes', `<a ${Array.from({ length: 400_000 }, (_, n) => `a${n}=""`).join(' ')}/>`],
    ['half a document', String(ubl).slice(0, 2_000)],
    [
      'bytes that are no UTF-8',
      Buffer.concat([ubl.subarray(0, 600), Buffer.from([0xff, 0xfe]), ubl.subarray(600)]),
    ],
    ['nothing', ''],
    ['words', 'Dear Sir or Madam'],
  ])('%s', async (_what, bytes) => {
    expect(await refusedAs(bytes)).toBe('invalid_format');
  });

  test('that is nested more deeply than any invoice is refused for that', async () => {
    const nested = (levels: number) =>
      readFile('given', Buffer.from('<a>'.repeat(levels) + '</a>'.repeat(levels)));
    const most = XML_DEPTH;
    await expect(nested(most + 1)).rejects.toThrow('is nested more deeply than any invoice');
    await expect(nested(most)).rejects.toThrow('is no invoice');
  });

  test('of another kind, or of another namespace, is no invoice', async () => {
    expect(await refusedAs('<html/>')).toBe('not_supported');
    expect(await refusedAs(String(ubl).replace(':xsd:Invoice-2', ':xsd:Invoice-3'))).toBe('not_supported');
  });

  test('in UTF-16, or Latin 1, is read as it declares', async () => {
    const latin = String(ubl).replace('UTF-8', 'ISO-8859-1');
    const name = (await read(Buffer.from(latin, 'latin1'))).invoices[0]!.seller.name;
    expect(name).toContain('Ñandú');
    const wide = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(String(ubl).replace('UTF-8', 'UTF-16'), 'utf16le'),
    ]);
    expect((await read(wide)).invoices[0]!.seller.name).toBe(name);
  });
});

describe('a PDF', () => {
  let facturx: Buffer;
  beforeAll(async () => {
    facturx = await renderInvoicePdf(invoiceContent(), String(cii));
  });
  test('with the invoice inside is read, of our making and of another’s', async () => {
    const inside = await read(facturx);
    expect(inside).toMatchObject({
      syntax: 'cii',
      container: 'pdf',
      name: 'given / factur-x.xml',
      findings: [],
    });
    expect(inside.invoices).toEqual((await read(cii)).invoices);
    expect((await read(pdfWith(deflateSync(cii)))).sha256).toBe(inside.sha256);
    expect((await read(pdfWith(cii, '[]'))).sha256).toBe(inside.sha256);
  });

  test('that unpacks without end is refused before it does', async () => {
    const bomb = deflateSync(Buffer.alloc(256 * 1024 * 1024, 32));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await refusedAs(pdfWith(bomb))).toBe('too_big');
    expect(await refusedAs(pdfWith(bomb, '/FlateDecode/Type/ObjStm'))).toBe('too_big');
  });

  test('that unpacks to more than an invoice has, and to less than is unpacked of a file, is refused', async () => {
    const large = Buffer.alloc(FILE_BYTES + 1, 32);
    expect(large.length).toBeLessThan(UNPACKED_BYTES);
    expect(await refusedAs(pdfWith(deflateSync(large)))).toBe('too_big');
  });

  test.each([
    ['without an invoice', 'not_supported', () => renderInvoicePdf(invoiceContent())],
    ['that is encrypted', 'not_supported', () => Buffer.from('%PDF-1.7\ntrailer <</Encrypt 9 0 R>>')],
    ['packed otherwise', 'not_supported', () => pdfWith(cii, '/LZWDecode')],
    ['packed twice', 'not_supported', () => pdfWith(cii, '[/FlateDecode/FlateDecode]')],
    ['with a damaged stream', 'invalid_format', () => pdfWith(cii)],
    ['with two invoices', 'ambiguous', () => Buffer.concat([pdfWith(deflateSync(cii)), other()])],
    ['nested without end', 'not_supported', () => Buffer.from(`%PDF-1.7\n1 0 obj ${'['.repeat(100_000)}`)],
  ])('%s', async (_what, code, make) => {
    expect(await refusedAs(await make())).toBe(code);
  });

  /** A second specification with an invoice of its own. */
  function other(): Buffer {
    const text = String(cii).replace('F-2026-1<', 'F-2026-8<');
    return Buffer.concat([
      Buffer.from(
        `4 0 obj <</UF(xrechnung.xml)/EF<</F 5 0 R>>>> endobj\n5 0 obj <</Length ${Buffer.byteLength(text)}>>\nstream\n`,
      ),
      Buffer.from(`${text}\nendstream endobj\n`),
    ]);
  }
});

describe('a ZIP file', () => {
  test('is read document by document, and what cannot be read is named', async () => {
    const zip = await zipOf({ 'a.xml': ubl, 'b/c.xml': cii, 'd.xml': '<no/>', 'e.txt': 'words' });
    const { documents, unread } = await readFile('all.zip', zip);
    expect(documents.map(({ name, syntax }) => [name, syntax])).toEqual([
      ['a.xml', 'ubl'],
      ['b/c.xml', 'cii'],
    ]);
    expect(unread).toMatchObject([{ name: 'd.xml' }]);
  });

  test('that unpacks without end is refused', async () => {
    expect(await refusedAs(await zipOf({ 'a.xml': Buffer.alloc(80 * 1024 * 1024, 32) }))).toBe('too_big');
  });

  test('with more documents than are read, without any, or damaged, is refused', async () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`${n}.xml`, '<a/>']));
    expect(await refusedAs(await zipOf(many))).toBe('too_big');
    expect(await refusedAs(await zipOf({ 'a.txt': 'x' }))).toBe('not_supported');
    expect(await refusedAs((await zipOf({ 'a.xml': ubl })).subarray(0, 500))).toBe('invalid_format');
  });
});

describe('lacre read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-read-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const lacre = commandLine(undefined as unknown as Db);
  const fileOf = (name: string, content: Buffer | string) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  test('shows a document as text, as JSON and as a page in which nothing is markup that was text', async () => {
    const hostile = String(ubl).replace(
      /RegistrationName>[^<]*/,
      'RegistrationName>&lt;script&gt;x &#155;2J',
    );
    const file = fileOf('invoice.xml', hostile);
    const html = join(folder, 'invoice.html');
    const words = await lacre(['read', file, '--html', html]);
    expect(words).toMatchObject({ exit: 0, stderr: '' });
    expect(words.stdout).toContain('invoice    F-2026-1 of 2026-07-01');
    expect(words.stdout).not.toContain('\u009b');
    const page = readFileSync(html, 'utf8');
    expect(page).toContain('&lt;script&gt;x');
    expect(page).not.toContain('<script');
    const json = (await lacre(['read', file, '--json'])).json();
    expect(json).toMatchObject({
      documents: [{ syntax: 'ubl', findings: [], checkedBy: ['own checks'] }],
      unread: [],
    });
  });

  test('ends with 6 when a rule is broken, and with 3 when the file is no invoice', async () => {
    const broken = await lacre(['read', fileOf('broken.xml', String(ubl).replace('>121.00', '>121.01'))]);
    expect(broken.exit).toBe(6);
    expect(broken.stdout).toContain('violated   BR-CO-15');
    expect(await lacre(['read', fileOf('words.xml', 'words')])).toMatchObject({ exit: 3 });
    expect(await lacre(['read', join(folder, 'missing.xml')])).toMatchObject({ exit: 3 });
  });

  test('reads in a thread, and refuses what is larger than any invoice', async () => {
    const large = await readInWorker('large.xml', Buffer.alloc(21 * 1024 * 1024));
    expect(isRefusal(large) && large.errors[0]?.code).toBe('too_big');
    // Nothing of it but its size is beyond a bound.
    const beside = await zipOf({ 'a.xml': ubl, 'b.bin': randomBytes(FILE_BYTES) });
    const refused = await readInWorker('large.zip', beside);
    expect(isRefusal(refused) && refused.errors[0]?.code).toBe('too_big');
    const read = await readInWorker('small.xml', ubl);
    expect(!isRefusal(read) && read.documents).toHaveLength(1);
  });
});

test('the units that are accepted of others are those that our invoices may have', () => {
  const codes = Array.from({ length: 36 ** 3 }, (_, n) => n.toString(36).toUpperCase());
  expect(codes.filter(isUnitCode)).toEqual(codes.filter(isUnitOfOurs));
});
