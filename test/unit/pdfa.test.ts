import { describe, expect, test } from 'vitest';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { invoiceCases } from '../support/documents/invoice-cases.ts';
import { attachmentsOf, haveTools, pagesOf, pictureOf, textOf } from '../support/documents/pdf-tools.ts';
import { fileRules } from './pdfa/file-rules.ts';
import { graphicsRules } from './pdfa/graphics-rules.ts';
import { metadataRules } from './pdfa/metadata-rules.ts';
import { type Dictionary, type Pdf, parsePdf } from './pdfa/objects.ts';

const CII =
  '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact">Ñandú &amp; Cía</rsm:CrossIndustryInvoice>';
const RULES = [...fileRules, ...graphicsRules, ...metadataRules];
const CASES = [
  'one line',
  'hostile texts',
  'four rates',
  'trade between member states',
  'a photo as logo',
  'a see-through logo',
  'in English, with a drawn logo and a pale colour',
  'a voided test in Basque',
];

const canCheck = haveTools('qpdf');
const canRead = haveTools('pdftotext', 'pdftoppm', 'pdfdetach');

/** Every departure of a file from the rules, with its clause. */
function faultsOf(file: Buffer): string[] {
  const pdf = parsePdf(file);
  return pdf === null ? ['unreadable'] : faultsIn(pdf);
}

function faultsIn(pdf: Pdf): string[] {
  return RULES.flatMap(({ clause, faults }) => {
    try {
      return faults(pdf).map((what) => `${clause}: ${what}`);
    } catch (error) {
      return [`${clause}: ${error}`];
    }
  });
}

describe.skipIf(!canCheck)('PDF/A-3b, by every rule that can be looked at here', () => {
  test.each(CASES)('the pages of %s, plain and as Factur-X', async (name) => {
    expect(faultsOf(await renderInvoicePdf(invoiceCases[name]!))).toEqual([]);
    expect(faultsOf(await renderInvoicePdf(invoiceCases[name]!, CII))).toEqual([]);
  });

  // Same lengths, so that nothing but the rule's own matter is wrong.
  test.each([
    ['6.1.2', '%PDF-1.7\n%', '%PDF-1.7\n '],
    ['6.1.3', '%%EOF', '%%EOF\nmore\n'],
    ['6.1.4', '0000000000 65535 f ', '0000000000 65535 f'],
    ['6.1.7.1', 'stream\n<?xpacket', 'stream\n <?xpacket'],
    ['6.1.7.2', '/Filter /FlateDecode', '/Filter /LZWDecode  '],
    ['6.1.9', '\nendobj\n', '\nend\nobj'],
    ['6.1.12', '/Type /Catalog', '/Perms <<>> /Type /Catalog'],
    ['6.1.13', '/UserUnit 1', '/UserUnit 9999999999'],
    ['6.3', '/Tabs /S', '/Annots []'],
    ['6.4', '/Type /Catalog', '/AcroForm <<>> /Type /Catalog'],
    ['6.5', '/Type /Catalog', '/OpenAction [] /Type /Catalog'],
    ['6.9, 6.10, 6.11', '/Type /Catalog', '/OCProperties <<>> /Type /Catalog'],
    ['6.2.3', '/GTS_PDFA1', '/GTS_PDFX1'],
    ['6.2.11.2, 6.2.11.3', '/CIDToGIDMap /Identity', '/CIDToGIDMax /Identity'],
    ['6.2.6', '/Type /Catalog', '/X <</Type /ExtGState /RI /Other>> /Type /Catalog'],
    ['6.2.10', '/Tabs /S', '/Group <</S /Transparency /CS /DeviceCMYK>>'],
    ['6.2.11.4', '/FontFile2', '/FontFil33'],
    ['6.2.11.7', '/ToUnicode', '/ToUnicodf'],
    ['6.6.2.3', '<pdfaSchema:prefix>fx', '<pdfaSchema:prefix>gx'],
    ['6.6.2.3.3', '<pdfaProperty:category>external', '<pdfaProperty:category>        '],
    ['6.6.3', '<pdf:Producer>Lacre', '<pdf:Producer>Other'],
    ['6.6.4', '<pdfaid:part>3', '<pdfaid:part>2'],
    ['6.7', '/Marked true', '/Marked null'],
    ['6.8', '/AFRelationship', '/AFRelationshiq'],
    ['6.8', '/Subtype /text#2Fxml', '/Subtypo /text#2Fxml'],
  ])('a file that breaks %s is found: %s', async (clause, right, wrong) => {
    const file = (await renderInvoicePdf(invoiceCases['one line']!, CII)).toString('latin1');
    expect(file).toContain(right);
    const found = faultsOf(Buffer.from(file.replaceAll(right, wrong), 'latin1'));
    expect(found.join('\n')).toContain(`${clause}: `);
  });
});

test.skipIf(!canCheck).each([
  ['6.1.13', 'q '.repeat(29)],
  ['6.2.2', '1 unheard-of '],
  ['6.2.4.3', '0 0 0 1 k '],
  ['6.2.6', '/Other ri '],
])('contents that break %s are found: %s', async (clause, before) => {
  const pdf = parsePdf(await renderInvoicePdf(invoiceCases['one line']!))!;
  const contents = new Set(
    [...pdf.objects.values()].map((each) => String((each as Dictionary | null)?.['/Contents'])),
  );
  const streams = [...pdf.streams].map(
    ([name, stream]) =>
      [
        name,
        contents.has(name)
          ? { ...stream, bytes: Buffer.concat([Buffer.from(before), stream.bytes]) }
          : stream,
      ] as const,
  );
  expect(faultsIn({ ...pdf, streams: new Map(streams) }).join('\n')).toContain(`${clause}: `);
});

describe.skipIf(!canRead)('a Factur-X document', () => {
  test('carries the invoice in CII, byte for byte, beside the registration record', async () => {
    const content = invoiceCases['one line']!;
    const files = attachmentsOf(await renderInvoicePdf(content, CII)).map(String);
    expect(files.sort()).toEqual([CII, content.recordXml].sort());
  });

  test('shows the same pages as the plain one, to the pixel', async () => {
    const content = invoiceCases['ten lines']!;
    const [plain, carrying] = [await renderInvoicePdf(content), await renderInvoicePdf(content, CII)];
    expect(textOf(carrying)).toBe(textOf(plain));
    expect(pagesOf(carrying, 60)).toEqual(pagesOf(plain, 60));
    expect(pictureOf(carrying, 40).messages).toBe('');
  });
});

test('a Factur-X document is the same bytes for the same invoice, and another file than the plain one', async () => {
  const content = invoiceCases['one line']!;
  const carrying = await renderInvoicePdf(content, CII);
  expect(await renderInvoicePdf(structuredClone(content), CII)).toEqual(carrying);
  const idOf = (file: Buffer) => /\/ID \[<(\w+)>/.exec(file.toString('latin1'))?.[1];
  expect(idOf(carrying)).toMatch(/^\w{32}$/);
  expect(idOf(carrying)).not.toBe(idOf(await renderInvoicePdf(content)));
});

test('a Factur-X document names its file and profile in the packet', async () => {
  const file = (await renderInvoicePdf(invoiceCases['one line']!, CII)).toString('utf8');
  for (const [property, value] of [
    ['DocumentType', 'INVOICE'],
    ['DocumentFileName', 'factur-x.xml'],
    ['Version', '1.0'],
    ['ConformanceLevel', 'EN 16931'],
  ]) {
    expect(file).toContain(`<fx:${property}>${value}</fx:${property}>`);
  }
  expect(file).toContain('xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"');
  expect(file).toContain('/AFRelationship /Alternative');
});
