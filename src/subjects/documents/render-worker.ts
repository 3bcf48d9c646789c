import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../ground/lib/thread-priority.ts';
import { renderInvoicePdf } from './layout/invoice.ts';
import { renderRollPdf } from './layout/roll.ts';
import type { RenderAnswer, RenderRequest } from './render.ts';

/** The rendering thread: one request in, one PDF (or the fault that prevented it) out. */
const port = parentPort;
if (port === null) throw new Error('render-worker runs in a thread of createRenderer');

/** When the processor is scarce, issuing and answering go first: documents can wait. */
const { niceness } = workerData as { readonly niceness: number };
lowerThreadPriority(niceness);

port.on('message', ({ content, facturx, paper }: RenderRequest) => {
  const drawn = paper === 'roll' ? renderRollPdf(content) : renderInvoicePdf(content, facturx);
  drawn.then(
    (pdf) => {
      // A copy of its own memory, which then changes hands instead of being copied once more.
      const bytes = new Uint8Array(pdf);
      port.postMessage({ bytes } satisfies RenderAnswer, [bytes.buffer]);
    },
    (fault: unknown) => port.postMessage({ fault } satisfies RenderAnswer),
  );
});
