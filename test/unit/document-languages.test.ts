import { describe, expect, test } from 'vitest';
import type { Branding } from '../../src/subjects/documents/branding/branding.ts';
import { contrast } from '../../src/subjects/documents/branding/colour.ts';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { accentOf } from '../../src/subjects/documents/layout/accent.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { mentionsOf } from '../../src/subjects/documents/layout/remarks.ts';
import { colours } from '../../src/subjects/documents/layout/style.ts';
import { spanish, wordingOf } from '../../src/subjects/documents/layout/wording.ts';
import { defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import { classified } from '../../src/subjects/taxes/classification.ts';
import { invoiceCases } from '../support/documents/invoice-cases.ts';
import { contentLine, invoiceContent } from '../support/documents/invoice-content.ts';
import * as tools from '../support/documents/pdf-tools.ts';

const canRead = tools.haveTools('pdftotext', 'pdftoppm');
const canScan = tools.haveTools('pdftoppm', 'zbarimg');
const OTHERS = ['en', 'ca', 'gl', 'eu'] as const;
const NAMES = { en: 'English', ca: 'Catalan', gl: 'Galician', eu: 'Basque' } as const;

const brandingIn = (language: Branding['language']): Branding => ({
  id: 1,
  language,
  accentColour: null,
  logo: null,
});
const formatIn = (language: Branding['language']) => wordingOf({ branding: brandingIn(language) }).format;

async function textOf(content: InvoiceContent): Promise<string> {
  const text = tools.textOf(await renderInvoicePdf(content));
  return text.replace(/[ \u00a0]+/g, ' ');
}

/** Everything that is said by itself in a language, by its path. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  // With something put in, that what follows shows too.
  if (typeof value === 'function') {
    const parts = { base: '1', tax: '2', surcharge: '3', total: '4', toString: () => 'X' };
    return [[path, String(value(parts, 'Y', 'Z'))]];
  }
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

describe('each language writes figures and days its own way', () => {
  test.each([
    ['es', '-1.234,56\u00a0€', '1.234,56\u00a0USD', '5,2\u00a0%', '01/07/2026', 'Alemania'],
    ['en', '-€1,234.56', 'USD\u00a01,234.56', '5.2%', '1\u00a0Jul\u00a02026', 'Germany'],
    ['ca', '-1.234,56\u00a0€', '1.234,56\u00a0USD', '5,2\u00a0%', '01/07/2026', 'Alemanya'],
    ['gl', '-1.234,56\u00a0€', '1.234,56\u00a0USD', '5,2\u00a0%', '01/07/2026', 'Alemaña'],
    ['eu', '-1.234,56\u00a0€', '1.234,56\u00a0USD', '%\u00a05,2', '2026/07/01', 'Alemania'],
  ] as const)('%s', (language, euros, dollars, rate, day, country) => {
    const format = formatIn(language);
    expect(format.money(-123_456, 'eur')).toBe(euros);
    expect(format.money(123_456, 'usd')).toBe(dollars);
    expect(format.rate(520)).toBe(rate);
    expect(format.date('2026-07-01')).toBe(day);
    expect(format.country('DE')).toBe(country);
  });
});

describe('the texts', () => {
  test.each(OTHERS)('of %s are all there, and hardly any was left in Spanish', (language) => {
    const own = textsOf(wordingOf({ branding: brandingIn(language) }).texts);
    const original = new Map(textsOf(spanish.texts));
    expect(own.map(([path]) => path)).toEqual([...original.keys()]);
    expect(own.filter(([, text]) => text.trim() === '')).toEqual([]);
    // Catalan and Galician share words with Spanish, Basque and English hardly any.
    const shared = own.filter(([path, text]) => !path.startsWith('.figures') && original.get(path) === text);
    expect(shared.length).toBeLessThan(language === 'ca' || language === 'gl' ? 40 : 6);
  });

  test('know the mentions and names that the tax catalog starts with', () => {
    const names = [...defaultTaxCatalog.values()].map(({ taxType, label }) => [taxType, label]);
    expect(spanish.texts.law.taxes).toEqual(Object.fromEntries(names));
    const known: Readonly<Record<string, string>> = spanish.texts.law.mentions;
    for (const { taxType, legalMention } of defaultTaxCatalog.values()) {
      expect(known[taxType] ?? null, taxType).toBe(legalMention);
    }
  });
});

describe.skipIf(!canRead)('a document in another language', () => {
  const contentOf = (language: (typeof OTHERS)[number]) =>
    invoiceCases[`in ${NAMES[language]}, everything at once`]!;

  test.each(OTHERS)(
    '%s: mentions required by law are in Spanish with their meaning beside it',
    async (language) => {
      const flat = (await textOf(contentOf(language))).replace(/\s+/g, ' ');
      const { law } = wordingOf({ branding: brandingIn(language) }).texts;
      expect(flat).toContain(law.title.rectifyingComplete);
      expect(flat).toContain('Factura rectificativa');
      expect(flat).toContain('Corrección de la factura (art. 80 Uno, Dos y Seis LIVA)');
      expect(flat).toContain(law.reasons.correction);
      // Side by side the lines of the two mix in the text: their beginnings do not.
      for (const [own, original] of [
        [law.mentions.es_exempt, 'Operación exenta del IVA (art. 20 LIVA)'],
        [law.mentions.export, 'Exportación exenta (art. 21 LIVA)'],
        [law.cashAccounting, 'Régimen especial del criterio de caja'],
      ] as const) {
        expect(flat).toContain(own === original ? own : `${original} ${own}`);
      }
      expect(flat).toContain('Exento según nuestra asesoría');
    },
  );

  const MEANT = {
    en: ['VAT-exempt supply', 'Supply treated as an export', 'IGIC-exempt supply', 'IPSI-exempt supply'],
    ca: [
      'Operació exempta de l’IVA',
      'Operació assimilada',
      'Operació exempta de l’IGIC',
      'Operació exempta de l’IPSI',
    ],
    gl: [
      'Operación exenta do IVE',
      'Operación asimilada á',
      'Operación exenta do IGIC',
      'Operación exenta do IPSI',
    ],
    eu: [
      'BEZetik salbuetsitako',
      'Esportazioarekin parekatutako',
      'IGICetik salbuetsitako',
      'IPSItik salbuetsitako',
    ],
  } as const;

  test.each(OTHERS)(
    '%s: an exemption by its cause is said in Spanish with its meaning beside it',
    (language) => {
      const wording = wordingOf({ branding: brandingIn(language) });
      const said = (['01 E4', '01 E3', '03 E6', '02 E1'] as const).map((each) => {
        const [agencyTax, exemption] = each.split(' ') as ['01' | '02' | '03', 'E1' | 'E3' | 'E4' | 'E6'];
        // 1199: what is like an export has the key of exports.
        const row = defaultTaxCatalog.get(exemption === 'E3' ? 'export' : 'es_exempt')!;
        const found = classified({ ...row, agencyTax, legalMention: null }, { exemption });
        if (!('row' in found)) throw new Error(found.faults[0]?.message);
        const { legalMention } = found.row;
        const breakdown = [{ type: 'es_exempt', regimeKey: '01', legalMention }] as const;
        const [mention] = mentionsOf(invoiceContent({ breakdown: [...breakdown] }), wording);
        expect(mention?.spanish).toBe(legalMention);
        return mention?.translation;
      });
      const provisions = [
        '(arts. 23 y 24 LIVA)',
        '(art. 22 LIVA)',
        '(art. 47 Ley 19/1994)',
        '(art. 7 Ley 8/1991)',
      ];
      said.forEach((text, index) => {
        expect(text).toMatch(new RegExp(`^${MEANT[language][index]}`));
        expect(text).toContain(provisions[index]);
      });
    },
  );

  test.each([
    ['en', 'VAT (IVA)', 'VAT 21%', 'Export (Exportación)'],
    ['ca', 'IVA', 'IVA 21%', 'Exportació (Exportación)'],
    ['gl', 'IVE (IVA)', 'IVE 21 %', 'Exportación'],
    ['eu', 'BEZ (IVA)', 'BEZ % 21', 'Esportazioa (Exportación)'],
  ] as const)(
    '%s: taxes have their names of that language, and those of the law beside them',
    async (...named) => {
      const [language, ...names] = named;
      const goods = contentLine('Café', 1_000, { taxes: [{ type: 'export', name: 'Exportación', rate: 0 }] });
      const content = invoiceContent({
        lines: [contentLine('Té', 1_000), goods],
        branding: brandingIn(language),
      });
      const flat = (await textOf(content)).replace(/\s+/g, ' ');
      for (const name of names) expect(flat).toContain(name);
    },
  );

  test('a name of the company’s own stays as it is', async () => {
    const lines = [
      contentLine('Curso', 1_000, { taxes: [{ type: 'vat', name: 'IVA general 21%', rate: 2100 }] }),
    ];
    const text = await textOf(invoiceContent({ lines, branding: brandingIn('en') }));
    expect(text).toMatch(/IVA general +10\.00 21% 2\.10/);
    expect(text).not.toContain('VAT');
  });

  test.each(OTHERS)('%s: the texts at the QR code are those of the Order, verbatim', async (language) => {
    const text = await textOf(invoiceContent({ branding: brandingIn(language) }));
    expect(text).toContain('QR tributario:');
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /Factura verificable en la sede.*electrónica de la AEAT.*VERI\*FACTU/,
    );
  });

  test('declares its language to programs, and which parts are Spanish', async () => {
    const raw = (await renderInvoicePdf(invoiceContent({ branding: brandingIn('ca') }))).toString('latin1');
    expect(raw).toContain('/Lang (ca-ES)');
    expect(raw).toContain('/Lang (es-ES)');
  });
});

describe.skipIf(!canScan)('the QR code is read', () => {
  test.each(Object.keys(invoiceCases).filter((name) => /^in |logo|voided/.test(name)))('%s', async (name) => {
    const content = invoiceCases[name]!;
    expect(tools.codesOf(await renderInvoicePdf(content))).toEqual([content.qrUrl]);
  });
});

describe('an accent colour', () => {
  test('is printed as it is where letters in it can be read, else darker', () => {
    expect(accentOf({ accentColour: '#17365C' })).toEqual({ line: '#17365C', ink: '#17365C' });
    for (const accentColour of ['#FFFFFF', '#FFFF00', '#FFC400', '#00FF00', '#808080', '#F0F', '#FF0000']) {
      const colour = accentColour.padEnd(7, '0');
      const { line, ink } = accentOf({ accentColour: colour });
      expect(line).toBe(colour);
      expect(contrast(ink, colours.wash), colour).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, '#FFFFFF'), colour).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('keeps its hue: a yellow becomes ochre, not grey', () => {
    const { ink } = accentOf({ accentColour: '#FFC400' });
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(ink.slice(at, at + 2), 16)) as [
      number,
      number,
      number,
    ];
    expect(green / red).toBeCloseTo(0xc4 / 0xff, 1);
    expect(blue).toBe(0);
  });
});
