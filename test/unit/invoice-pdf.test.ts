import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { mm, page } from '../../src/subjects/documents/layout/style.ts';
import { spanish } from '../../src/subjects/documents/layout/wording.ts';
import { invoiceCases, manyLines } from '../support/documents/invoice-cases.ts';
import { contentLine, invoiceContent } from '../support/documents/invoice-content.ts';
import * as tools from '../support/documents/pdf-tools.ts';

const { amount } = spanish.format;
const canRead = tools.haveTools('pdftotext', 'pdftoppm', 'pdfdetach', 'pdffonts', 'pdfinfo');
const canScan = tools.haveTools('pdftoppm', 'zbarimg');
const canCheck = tools.haveTools('qpdf');

const CASES = Object.keys(invoiceCases);

const rendered = new Map<string, Promise<Buffer>>();

/** The document of a case, rendered once for all who look at it. */
function pdfOf(name: string): Promise<Buffer> {
  const pdf = rendered.get(name) ?? renderInvoicePdf(invoiceCases[name]!);
  rendered.set(name, pdf);
  return pdf;
}

async function textOf(given: Partial<InvoiceContent> | string): Promise<string> {
  const pdf = typeof given === 'string' ? pdfOf(given) : renderInvoicePdf(invoiceContent(given));
  const text = tools.textOf(await pdf);
  // How wide a gap is a space is the reader's guess.
  return text.replace(/[ \u00a0]+/g, ' ').replaceAll(' %', '%');
}

describe('a document is a function of its invoice', () => {
  test('the same content gives the same bytes, independent of what was printed in between', async () => {
    for (const name of ['trade between member states', 'in English, with a drawn logo and a pale colour']) {
      const content = invoiceCases[name]!;
      const first = await renderInvoicePdf(content);
      for (const other of ['hostile texts', 'a see-through logo', 'a test'])
        await renderInvoicePdf(invoiceCases[other]!);
      expect(await renderInvoicePdf(structuredClone(content)), name).toEqual(first);
    }
  });

  test('it states the invoice’s data, well-formed for any name', async () => {
    const pdf = await renderInvoicePdf(invoiceCases['hostile texts']!);
    const packet = /<\?xpacket begin.*?\?>(.*)<\?xpacket end/s.exec(pdf.toString('utf8'))?.[1]?.trim() ?? '';
    expect(XMLValidator.validate(packet)).toBe(true);
    expect(packet).toContain('Factura F&#38;1');
    expect(packet).toContain('Pérez &#38; Hijos &#60;SL&#62;');
    expect(packet).toContain('<xmp:CreateDate>2026-07-01T08:00:00Z</xmp:CreateDate>');
    expect(packet).toMatch(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B</);
  });
});

describe.skipIf(!canScan)('the QR code', () => {
  test.each(['one line', 'a test', 'words without end', 'hostile texts', 'the largest amounts'])(
    'encodes exactly the address: %s',
    async (name) => {
      const content = invoiceCases[name]!;
      expect(tools.codesOf(await pdfOf(name))).toEqual([content.qrUrl]);
    },
  );

  test('is 35 mm wide with 6 mm of white around it, beside a logo and below marks too', async () => {
    for (const name of ['one line', 'a test', 'a photo as logo', 'a voided test in Basque']) {
      const dotsPerMm = 300 / 25.4;
      const picture = tools.pictureOf(await pdfOf(name), 300);
      const code = codeBlock(picture, mmAround(picture.width, 17), dotsPerMm);
      expect(code.height / dotsPerMm).toBeCloseTo(35, 0);
      expect(code.whiteAbove / dotsPerMm).toBeGreaterThan(5.9);
      expect(code.whiteBelow / dotsPerMm).toBeGreaterThan(5.9);
      const sides = [mmAround(picture.width, 23.4, 17.6), mmAround(picture.width, -17.6, -23.4)];
      for (const strip of sides) expect(hasInk(picture, strip, code.top, code.top + code.height)).toBe(false);
    }
  });

  test('stands once, on the first page, and nowhere without a record', async () => {
    const [first, ...others] = tools.textOf(await pdfOf('a test')).split('\f');
    expect(first).toContain('QR tributario:');
    expect(first?.replace(/\s+/g, ' ')).toMatch(
      /Factura verificable en la sede.*electrónica de la AEAT.*VERI\*FACTU/,
    );
    expect(others.join()).not.toContain('QR tributario');
    const imported = await textOf({ imported: true, qrUrl: null, recordXml: null });
    expect(imported).not.toMatch(/QR tributario|VERI\*FACTU/);
  });

  test('is omitted on a copy of an imported invoice, which is marked as a copy', async () => {
    const imported = await textOf({ imported: true, qrUrl: null, recordXml: null });
    expect(imported).toContain('Factura (copia)');
    expect(imported).toContain('Copia de una factura expedida en su día con otro sistema de facturación.');
    expect(await textOf({})).not.toMatch(/copia/i);
  });
});

type Strip = { from: number; to: number };

/** A strip of the page by its distance in mm from the vertical middle. */
function mmAround(width: number, left: number, right = -left): Strip {
  const dotsPerMm = width / 210;
  return { from: Math.round(width / 2 - left * dotsPerMm), to: Math.round(width / 2 - right * dotsPerMm) };
}

function hasInk({ dots, width }: tools.Picture, strip: Strip, top: number, bottom: number): boolean {
  for (let row = top; row < bottom; row += 1) {
    if (dots.subarray(row * width + strip.from, row * width + strip.to).some((dot) => dot < 250)) return true;
  }
  return false;
}

/** The first tall run of inked rows in a strip (gaps below 1 mm do not end one) and the white to its neighbours. */
function codeBlock(picture: tools.Picture, strip: Strip, dotsPerMm: number) {
  const blocks: { top: number; bottom: number }[] = [];
  for (let row = 0; row < picture.height; row += 1) {
    if (!hasInk(picture, strip, row, row + 1)) continue;
    const last = blocks.at(-1);
    if (last !== undefined && row - last.bottom < dotsPerMm) last.bottom = row + 1;
    else blocks.push({ top: row, bottom: row + 1 });
  }
  const index = blocks.findIndex(({ top, bottom }) => bottom - top > 20 * dotsPerMm);
  const { top, bottom } = blocks[index]!;
  return {
    top,
    height: bottom - top,
    whiteAbove: top - (blocks[index - 1]?.bottom ?? 0),
    whiteBelow: (blocks[index + 1]?.top ?? picture.height) - bottom,
  };
}

describe.skipIf(!canRead)('the page has what the law requires', () => {
  test('who, to whom, which number, when, what, at which price, with which tax, how much', async () => {
    const text = await textOf('ten lines');
    for (const fact of [
      'Factura',
      'F-2026-1',
      '01/07/2026',
      '28/06/2026',
      'Fecha de operación',
      'Talleres Ñandú SL',
      'NIF B72877814',
      'Calle Mayor 1',
      '28001 Madrid',
      'Construcciones del Norte SA',
      'NIF A58818501',
      '33201 Gijón',
      'Mano de obra, oficial de primera 3',
      'Ref. SKU-3',
      'Vencimiento a 30 días.',
      'Página 1 de ',
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).toMatch(/Mano de obra, oficial de primera 3 3 31,08 IVA 21% 93,24/);
    expect(text).toMatch(/Total factura [\d.,]+ €/);
    expect(text).not.toContain('SIN VALIDEZ FISCAL');
  });

  test('no operation date when it is the day of issue', async () => {
    expect(await textOf('one line')).not.toContain('operación');
  });

  test('base, rate and tax of each rate apart', async () => {
    const text = await textOf('four rates');
    for (const row of ['100,00 21% 21,00', '100,00 10% 10,00', '100,00 4% 4,00', '100,00 0% 0,00']) {
      expect(text).toContain(`IVA ${row}`);
    }
    expect(text).toContain('Importe sin impuestos 400,00 €');
    expect(text).toContain('Cuota IVA 35,00 €');
    expect(text).toContain('Total factura 435,00 €');
  });

  test('the surcharge with its rate, and its sum', async () => {
    const text = await textOf('the equivalence surcharge');
    expect(text).toContain('IVA 1.234,56 21% 259,26 5,2% 64,20');
    expect(text).toContain('IVA 200,00 4% 8,00 0,5% 1,00');
    expect(text).toContain('Recargo de equivalencia 72,20 €');
  });

  test('a discount as a negative line', async () => {
    expect(await textOf('a discount')).toContain('Descuento por volumen 1 -1.500,00 IVA 21% -1.500,00');
  });

  test('that a rectificativa is one, of what, why and how', async () => {
    const text = await textOf('a substitution');
    expect(text).toContain('Factura rectificativa');
    expect(text).toContain('F-2026-1 (02/05/2026); R-2026-3 (20/05/2026)');
    expect(text).toMatch(/Motivo.*art\. 80/);
    expect(text).toContain('Por sustitución');
    expect(text).toContain('Importes rectificados Base imponible 80,00 €, cuota 16,80 €, total 96,80 €');
    // RD 1619/2012 art. 15.5: amounts as they become, with those by which they change.
    const difference = 'Importe de la Base imponible 20,00 €, cuota 4,20 €, total 24,20 €';
    expect(text).toContain(difference);
    const ticket = await textOf('differences on a ticket');
    expect(ticket).toContain('Factura rectificativa simplificada');
    expect(ticket).toContain('Por diferencias');
    expect(ticket).toContain('Total factura -24,20 €');
    expect(ticket).not.toContain('Cliente');
  });

  test('which tickets were exchanged', async () => {
    const text = (await textOf('an exchange of a thousand tickets')).replace(/\s+/g, ' ');
    expect(text).toContain('T-2026-1 (01/06/2026); T-2026-2');
    expect(text).toContain('T-2026-1000 (01/06/2026)');
  });

  test('the mentions of the taxes on it, the law’s own words included', async () => {
    expect(await textOf('an exempt operation')).toContain('Operación exenta del IVA (art. 20 LIVA)');
    expect(await textOf('the reverse charge')).toMatch(/\nInversión del sujeto pasivo\n/);
    const trade = await textOf('trade between member states');
    expect(trade).toContain('Entrega intracomunitaria exenta (art. 25 LIVA)');
    expect(trade).toMatch(/\nInversión del sujeto pasivo\n/);
    expect(trade).toContain('NIF-IVA ESB72877814');
    expect(trade).toContain('NIF-IVA PL5261040828');
    const cash = await textOf({ breakdown: [{ type: 'vat', regimeKey: '07', legalMention: null }] });
    expect(cash).toContain('Régimen especial del criterio de caja');
  });

  test('in the test environment, on every page, that it is worth nothing', async () => {
    const pages = tools
      .textOf(await pdfOf('a test'))
      .split('\f')
      .slice(0, -1);
    expect(pages).toHaveLength(2);
    for (const text of pages) expect(text).toContain('DOCUMENTO DE PRUEBA SIN VALIDEZ FISCAL');
  });

  test('names of all Europe as they are written', async () => {
    const text = await textOf('trade between member states');
    for (const name of ['Żółć i Gęśl', 'Ωμέγα', 'Łódź', 'źdźbło, łąka', 'Θεσσαλονίκη'])
      expect(text).toContain(name);
  });
});

describe.skipIf(!canRead)('a long table', () => {
  test('repeats its head, carries its sum over, counts its pages and loses no line', async () => {
    const { lines } = invoiceCases['five hundred lines']!;
    const pages = (await textOf('five hundred lines')).split('\f').slice(0, -1);
    let carried = '';
    pages.forEach((text, index) => {
      expect(text).toContain(`Página ${index + 1} de ${pages.length}`);
      if (index > 0) expect(text).toContain(`Suma anterior ${carried}`);
      if (index < pages.length - 1) carried = /Suma y sigue ([\d.,]+)/.exec(text)?.[1] ?? 'missing';
      expect(text).toMatch(/Descripción Cantidad Precio unitario Impuesto Importe/);
    });
    const flat = pages.join(' ').replace(/\s+/g, ' ');
    for (const { quantity, unitAmount, subtotal } of lines) {
      expect(flat).toContain(` ${quantity} ${amount(unitAmount)} IVA 21% ${amount(subtotal)} `);
    }
  });

  test('never leaves the totals alone on a page, for any number of lines', async () => {
    for (let count = 8; count <= 20; count += 1) {
      const pages = (await textOf({ lines: manyLines(count) })).split('\f').slice(0, -1);
      expect(pages.at(-1), `${count} lines`).toMatch(/IVA 21% [\d.,]+\n/);
      expect(pages.at(-1), `${count} lines`).toContain('Total factura');
    }
  });
});

describe.skipIf(!canRead)('nothing breaks the layout', () => {
  test.each(CASES)(
    '%s: every word within the margins, none on another, nothing in the foot',
    async (name) => {
      const pdf = await pdfOf(name);
      const words = tools.wordsOf(pdf).filter((word) => !isWatermark(word));
      expect(words.length).toBeGreaterThan(20);
      expect(tools.collisionsOf(words)).toEqual([]);
      for (const { text, left, right, top, bottom, page: number } of words) {
        const where = `"${text}" on page ${number}`;
        expect(left, where).toBeGreaterThanOrEqual(page.left - 0.5);
        expect(right, where).toBeLessThanOrEqual(page.right + 1);
        expect(top, where).toBeGreaterThan(mm(5));
        // Boxes are as tall as the font's tallest letters: they reach a little beyond the line.
        expect(bottom <= page.bottom + 3 || top >= page.foot, where).toBe(true);
      }
      expect(tools.pictureOf(pdf, 40).messages).toBe('');
    },
  );

  test('and overlapping texts would be detected', () => {
    const word = { page: 1, text: 'a', left: 10, right: 30, top: 10, bottom: 20 };
    expect(tools.collisionsOf([word, { ...word, left: 29, right: 40 }])).toHaveLength(1);
    expect(tools.collisionsOf([word, { ...word, left: 31, right: 40 }, { ...word, page: 2 }])).toEqual([]);
  });

  test('with any text of a line', async () => {
    const specialCharacters = [
      '\u0301\u0301',
      ' ',
      '\ufffd',
      'ﷺ',
      '𒐫',
      'a\u0000b',
      '\u2028',
      '‮',
      '🏳️‍🌈'.repeat(40),
      'क्षि',
    ];
    const pdf = await renderInvoicePdf(
      invoiceContent({ lines: specialCharacters.map((text) => contentLine(text, 100)) }),
    );
    expect(tools.textOf(pdf)).toContain('Total factura');
  });
});

/** The pale words across a page: they lie across the margins and behind the text, and are larger than all others. */
function isWatermark({ top, bottom, text }: tools.Word): boolean {
  return bottom - top > 50 && /^[A-Z]{1,9}$/.test(text);
}

describe('the file', () => {
  test.skipIf(!canRead)('holds the registration record, byte by byte', async () => {
    const content = invoiceContent({
      recordXml: '<sf:RegistroAlta xmlns:sf="urn:x">Ñandú &amp; Cía</sf:RegistroAlta>',
    });
    expect(tools.attachmentsOf(await renderInvoicePdf(content))).toEqual([Buffer.from(content.recordXml!)]);
  });

  test.skipIf(!canRead)('embeds every font it uses', async () => {
    const fonts = tools.fontsOf(await renderInvoicePdf(invoiceCases['trade between member states']!));
    expect(fonts.map(({ name }) => name.replace(/^.*\+/, '')).sort()).toEqual([
      'NotoSans-Regular',
      'NotoSans-SemiBold',
    ]);
    expect(fonts.every(({ embedded }) => embedded)).toBe(true);
  });

  test.skipIf(!canCheck).each(CASES)('is sound: %s', async (name) => {
    expect(tools.faultsOf(await pdfOf(name))).toBe('');
  });

  test('declares its language and its structure, for assistive technology', async () => {
    const raw = (await renderInvoicePdf(invoiceCases['one line']!)).toString('latin1');
    expect(raw).toContain('/Lang (es-ES)');
    expect(raw).toContain('/Marked true');
    for (const tag of ['H1', 'Figure', 'Table', 'TR', 'TH', 'TD']) expect(raw).toContain(`/S /${tag}\n`);
    expect(raw).toContain('/Alt ');
  });

  test('describes its pictures, and separates the words of two lines', async () => {
    const named = invoiceContent({ issuer: { ...invoiceContent().issuer, legalName: 'Lumbre SL' } });
    const { branding } = invoiceCases['a photo as logo']!;
    const raw = (await renderInvoicePdf({ ...named, branding })).toString('latin1');
    expect(raw).toContain('/Alt (Logotipo de Lumbre SL)');
    expect(tools.structureOf(await renderInvoicePdf(named))).toContain(
      '"Emisor Lumbre SL NIF B72877814 Calle',
    );
  });
});
