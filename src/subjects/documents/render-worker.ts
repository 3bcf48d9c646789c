import { parentPort } from 'node:worker_threads';
import { renderInvoicePdf } from './layout/invoice.ts';
import { renderRollPdf } from './layout/roll.ts';
import type { RenderAnswer, RenderRequest } from './render.ts';

/** The rendering thread: one request in, one PDF (or the error that prevented it) out. */
const port = parentPort;
if (port === null) throw new Error('render-worker runs in a thread of createRenderer');

port.on('message', ({ content, facturx, paper }: RenderRequest) => {
  const drawn = paper === 'roll' ? renderRollPdf(content) : renderInvoicePdf(content, facturx);
  drawn.then(
    (pdf) => {
      // A copy with a buffer of its own, which can then be transferred instead of being copied again.
      const bytes = new Uint8Array(pdf);
      port.postMessage({ bytes } satisfies RenderAnswer, [bytes.buffer]);
    },
    (fault: unknown) => port.postMessage({ fault } satisfies RenderAnswer),
  );
});
