import { afterAll, describe, expect, test } from 'vitest';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { createRenderer } from '../../src/subjects/documents/render.ts';
import { invoiceCases } from '../support/documents/invoice-cases.ts';
import { invoiceContent } from '../support/documents/invoice-content.ts';

const renderer = createRenderer({ threads: 1 });
afterAll(() => renderer.stop());

/** Content that no database could give: the thread fails on it. */
const broken = { ...invoiceContent(), lines: null } as unknown as InvoiceContent;

describe('the rendering threads', () => {
  test('make the same bytes as this thread would', async () => {
    for (const name of ['trade between member states', 'a photo as logo', 'a voided test in Basque']) {
      const content = invoiceCases[name]!;
      expect(await renderer.render(content), name).toEqual(await renderInvoicePdf(content));
    }
  });

  test('give each caller its own document, however many request one at once', async () => {
    const contents = Array.from({ length: 12 }, (_, index) => invoiceContent({ number: `F-2026-${index}` }));
    const rendered = await Promise.all(contents.map((content) => renderer.render(content)));
    for (const [index, content] of contents.entries()) {
      expect(rendered[index]).toEqual(await renderInvoicePdf(content));
    }
  });

  test('survive a document that fails: only that one is refused', async () => {
    const outcomes = await Promise.allSettled([
      renderer.render(invoiceContent()),
      renderer.render(broken),
      renderer.render(invoiceContent()),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('leave the event loop free', async () => {
    let turns = 0;
    let running = true;
    const turn = () => {
      turns += 1;
      if (running) setImmediate(turn);
    };
    turn();
    await renderer.render(invoiceCases['five hundred lines']!);
    running = false;
    expect(turns).toBeGreaterThan(100);
  });
});

describe('a stopped renderer', () => {
  test('finishes what was requested, then accepts nothing more', async () => {
    const stopping = createRenderer({ threads: 2 });
    const renderings = [
      stopping.render(invoiceContent()),
      stopping.render(broken),
      stopping.render(invoiceContent()),
    ];
    const outcomes = Promise.allSettled(renderings);
    await stopping.stop();
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(stopping.render(invoiceContent())).rejects.toThrow('stopped');
  });

  test('starts no thread when nothing is rendered', async () => {
    await expect(createRenderer({ threads: 2 }).stop()).resolves.toBeUndefined();
  });
});
