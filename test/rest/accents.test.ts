import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { issueWith } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';

/** Names and texts of the languages of Spain are found in any case, with or without accents, composed or not. */

/** Of each language: who is invoiced, for what, and words of both. */
const LANGUAGES = {
  Spanish: {
    name: 'Compañía Agüera Muñoz de Íñigo',
    description: 'Menú con jamón, piñón y pingüino',
    names: ['COMPAÑÍA', 'compania', 'AGÜERA', 'aguera', 'Muñoz', 'MUNOZ', 'íñigo', 'inigo'],
    texts: ['MENÚ', 'menu con jamon', 'PIÑÓN', 'pinon', 'PINGÜINO', 'pinguino'],
  },
  Catalan: {
    name: 'Col·legi d’Òptics de la Plaça Güell',
    description: 'Lliçó d’anglès: excel·lència i raïm',
    names: ['COL·LEGI', 'col·legi', 'col.legi', 'òptics', 'OPTICS', 'PLAÇA', 'placa', 'güell', 'GUELL'],
    texts: ['LLIÇÓ', 'llico', 'ANGLÈS', 'angles', 'EXCEL·LÈNCIA', 'excel·lencia', 'RAÏM', 'raim'],
  },
  Galician: {
    name: 'Peixaría Noroña e Irmáns da Coruña',
    description: 'Polbo á feira, viño e lingüística: saïamos',
    names: ['PEIXARÍA', 'peixaria', 'NOROÑA', 'norona', 'irmáns', 'IRMANS', 'coruña', 'CORUNA'],
    texts: [
      'POLBO Á FEIRA',
      'polbo a feira',
      'VIÑO',
      'vino',
      'LINGÜÍSTICA',
      'linguistica',
      'SAÏAMOS',
      'saiamos',
    ],
  },
  Basque: {
    name: 'Iñurrategi eta Goñi Jatetxea',
    description: 'Andereño ikastaroa, piperrada ttipia eta çabala',
    names: ['IÑURRATEGI', 'inurrategi', 'goñi', 'GONI', 'JATETXEA'],
    texts: ['ANDEREÑO', 'andereno', 'TTIPIA', 'ÇABALA', 'cabala'],
  },
} as const;

const files = importFiles();
let service: TestService;
/** The two invoices of a language, stored composed and decomposed. */
const issued = new Map<string, string[]>();
beforeAll(async () => {
  service = await testService();
  for (const [language, { name, description }] of Object.entries(LANGUAGES)) {
    const ids: string[] = [];
    for (const form of ['NFC', 'NFD']) {
      const { recipient, ...invoice } = aCompleteInvoice({
        line_items: [aLine({ description: description.normalize(form) })],
      });
      const named = { ...recipient, name: name.normalize(form) };
      ids.unshift((await issueWith(service, { ...invoice, recipient: named }, 'test')).id);
    }
    issued.set(language, ids);
  }
});
afterAll(async () => {
  await service.close();
  files.remove();
});

async function found(filter: object): Promise<string[]> {
  const { body } = await service.graphql(
    'query ($filter: InvoiceFilter) { invoices(filter: $filter) { edges { node { id } } } }',
    { filter },
  );
  expect(body.errors).toBeUndefined();
  return body.data.invoices.edges.map(({ node }: { node: { id: string } }) => node.id);
}

test.each(Object.entries(LANGUAGES))('%s', async (language, { name, description, names, texts }) => {
  const ids = issued.get(language);
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
    for (const recipientName of [name, ...names].map((text) => text.normalize(form)))
      expect(await found({ recipientName }), recipientName).toEqual(ids);
    for (const text of [description, name, ...texts].map((one) => one.normalize(form)))
      expect(await found({ text }), text).toEqual(ids);
  }
});

test('a number that another system gave is found in any case too', async () => {
  const { environmentId } = service.company.test;
  const file = files.jsonLines([anOldInvoice('Año/2011-7'), anOldInvoice('AÑO-Ç/8')]);
  const imported = await importInvoices(service.db, { environmentId, file, actor: 'opk_1' });
  if (isRefusal(imported)) throw new Error(imported.detail);
  for (const number of [
    'Año/2011-7',
    'año/2011-7',
    'AÑO/2011-7',
    'aÑO/2011-7',
    'año-ç/8',
    'AÑO-Ç/8',
    'f-2026-x',
  ])
    expect(await found({ number }), number).toHaveLength(number.startsWith('f') ? 0 : 1);
});

test.each([
  ['Año/1', ['AÑO/1', 'aÑo/1', 'Año/1'.normalize('NFD'), 'AÑO/1'.normalize('NFD')], 'Ano/1'],
  ['Łódź-ÿ/1', ['ŁÓDŹ-Ÿ/1'], 'Łodz-ÿ/1'],
  ['Τιμολόγιος/1', ['ΤΙΜΟΛΌΓΙΟΣ/1'], 'Τιμολογιος/1'],
  ['Счёт/1', ['СЧЁТ/1'], 'Счет/1'],
])(
  'the number %s of another system names one invoice in any case, and another without accents',
  async (number, same, other) => {
    const { environmentId } = service.company.test;
    const importing = async (...numbers: string[]) => {
      const file = files.jsonLines(numbers.map((one) => anOldInvoice(one)));
      return importInvoices(service.db, { environmentId, file, actor: 'opk_1' });
    };
    expect(await importing(number)).toMatchObject({ accepted: 1 });
    expect(await importing(...same)).toMatchObject({ accepted: 0, refused: same.length });
    expect(await importing(other, other.toUpperCase())).toMatchObject({ accepted: 1, refused: 1 });
  },
);

/** Catalan's double l, as it is written and as it is typed. */
describe('a double l', () => {
  const SPELLINGS = ['Col·legi', 'Col.legi', 'Coŀlegi', 'COĿLEGI', 'Collegi', 'COL·LEGI'];
  const ids: string[] = [];
  beforeAll(async () => {
    for (const word of SPELLINGS) {
      const { recipient, ...invoice } = aCompleteInvoice({
        line_items: [aLine({ description: `Quota del ${word}: intel·ligència` })],
      });
      const named = { ...recipient, name: `${word} Sant Pau S.L.L.` };
      ids.unshift((await issueWith(service, { ...invoice, recipient: named }, 'test')).id);
    }
  });

  test.each(['collegi', 'COLLEGI', 'col·legi', 'col.legi', 'coŀlegi'])(
    'is found as %s, however it was written',
    async (word) => {
      const issuedOn = { from: '2020-01-01' };
      for (const recipientName of [`${word} sant`, `${word} s.l.l.`, `pau ${word.slice(0, -1)}`]) {
        expect(await found({ recipientName }), recipientName).toEqual(ids);
        // Within a period the names of its invoices are compared, and not looked up.
        expect(await found({ recipientName, issuedOn, total: { min: 1 } }), recipientName).toEqual(ids);
        const { body } = await service.graphql(
          'query ($filter: InvoiceFilter) { invoices(filter: $filter) { totalCount } }',
          { filter: { recipientName, issuedOn, total: { min: 1 } } },
        );
        expect(body.data.invoices.totalCount).toBe(ids.length);
      }
      for (const text of [`del ${word}`, `${word} sant`]) expect(await found({ text }), text).toEqual(ids);
    },
  );

  test('keeps the words beside its dot', async () => {
    const dotted = ids.filter((_, index) => /[·.]/.test(SPELLINGS.toReversed()[index]!));
    expect(await found({ recipientName: 'legi sant' })).toEqual(dotted);
    expect(await found({ text: 'intelligencia' })).toEqual(ids);
  });

  test('is no other letter, nor the letters of an abbreviation', async () => {
    for (const recipientName of ['colegi', 'col legi pau x', 'sll'])
      expect(await found({ recipientName }), recipientName).toEqual([]);
    expect(await found({ text: 'intel·legencia' })).toEqual([]);
  });

  test('is found in the names of companies', async () => {
    const { key } = await createOperatorKey(service.db.pool, 'Ada');
    await service.owner.query(`update company set legal_name = 'Col·legi d’Òptics'`);
    for (const text of ['collegi', 'COL·LEGI', 'col.legi', 'legi']) {
      const query = 'query ($text: String) { companies(text: $text) { edges { node { id } } } }';
      const { body } = await service.graphql(query, { text }, { key });
      expect(body.data.companies.edges, text).toHaveLength(1);
    }
  });
});

test('what only looks alike is not found', async () => {
  for (const filter of [{ recipientName: 'munozz' }, { recipientName: 'unoz' }, { text: 'menus' }])
    expect(await found(filter)).toEqual([]);
});
