import type { Worker } from 'node:worker_threads';
import { startThread } from '../../ground/lib/start-thread.ts';
import type { InvoiceContent } from './content.ts';
import { measureRendering } from './metrics.ts';
import { SHORT_LINES } from './rendering-queue.ts';
import type { Paper } from './types.ts';

/**
 * The request to a rendering thread: an invoice's content, the paper and, for a Factur-X document, the invoice in
 * CII.
 */
export type RenderRequest = {
  readonly content: InvoiceContent;
  readonly facturx: string | null;
  readonly paper: Paper;
};

/** The answer of a rendering thread. */
export type RenderAnswer = { readonly bytes: Uint8Array } | { readonly fault: unknown };

/** Renders PDFs outside the event loop. */
export type Renderer = {
  /**
   * The invoice's PDF; with `facturx`, the invoice in CII, its Factur-X document. Rejects when rendering fails or
   * takes too long, which is a bug and never the caller's fault.
   */
  render(content: InvoiceContent, facturx?: string | null, paper?: Paper): Promise<Buffer>;
  /** Finishes the renderings in progress, refuses new ones, and ends the threads. */
  stop(): Promise<void>;
};

type Work = {
  readonly request: RenderRequest;
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * 500 lines take 0.1 s of processor time, 62,000 different words (the most that a request can contain) 5 s:
 * after this time a thread hangs.
 */
const LONGEST_MS = 120_000;
/**
 * A thread needs about 40 MB; 500 lines of the longest texts fit into 64. Without limits V8 lets the heap grow to
 * several times that before it collects garbage, and a runaway document would crash the process. With half the
 * space for young objects a document costs a seventh more.
 */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 32 };

/**
 * A renderer with up to `threads` threads, each started at first use (opening the fonts takes 0.1 s) and then kept,
 * and `forShort` more for short documents only, which therefore never wait for a long one. Idle threads do not keep
 * the process alive.
 */
export function createRenderer({
  threads,
  forShort = 0,
}: {
  readonly threads: number;
  readonly forShort?: number;
}): Renderer {
  const long = new Threads(threads);
  const short = forShort > 0 ? new Threads(forShort) : long;
  const underWay = new Set<Promise<unknown>>();
  let stopped = false;

  return {
    render(content, facturx = null, paper = 'a4') {
      if (stopped) return Promise.reject(new Error('the renderer has been stopped'));
      const promise = measureRendering(() =>
        (isShort(content) ? short : long).draw({ content, facturx, paper }),
      );
      underWay.add(promise);
      const remove = () => underWay.delete(promise);
      promise.then(remove, remove);
      return promise;
    },
    async stop() {
      stopped = true;
      await Promise.allSettled(underWay);
      await Promise.all([long.end(), short.end()]);
    },
  };
}

/** Threads, and what waits for one of them. */
class Threads {
  readonly #most: number;
  readonly #queue: Work[] = [];
  readonly #all = new Set<Worker>();
  readonly #idle: Worker[] = [];
  #drawing = 0;

  constructor(max: number) {
    this.#most = max;
  }

  draw(request: RenderRequest): Promise<Buffer> {
    return new Promise<Buffer>((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      this.#next();
    });
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #next(): void {
    while (this.#drawing < this.#most) {
      const work = this.#queue.shift();
      if (work === undefined) return;
      const worker = this.#idle.pop() ?? this.#start();
      this.#drawing += 1;
      worker.ref();
      runOn(worker, work.request)
        .finally(() => {
          this.#drawing -= 1;
        })
        .then((pdf) => {
          worker.unref();
          this.#idle.push(worker);
          return pdf;
        })
        .finally(() => this.#next())
        .then(work.resolve, work.reject);
    }
  }

  #start(): Worker {
    const worker = startThread(new URL('./render-worker.ts', import.meta.url), {
      resourceLimits: MEMORY,
    });
    this.#all.add(worker);
    // The waiting caller gets its errors; an idle or ending thread has none, and its error must not end the
    // process.
    worker.on('error', () => {});
    // Also when it dies idle: it must not get work any more.
    worker.once('exit', () => {
      this.#all.delete(worker);
      const position = this.#idle.indexOf(worker);
      if (position >= 0) this.#idle.splice(position, 1);
    });
    return worker;
  }
}

function isShort(content: InvoiceContent): boolean {
  // A request without lines fails, which is quick.
  return (content.lines?.length ?? 0) <= SHORT_LINES;
}

/** One rendering on an idle thread. After a failure the thread is ended, because its state is unknown. */
function runOn(worker: Worker, request: RenderRequest): Promise<Buffer> {
  return new Promise<Buffer>((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error('rendering took too long')), LONGEST_MS);
    const finish = () => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', fail).off('exit', onExit);
    };
    const fail = (reason: unknown) => {
      finish();
      worker.terminate().finally(() => reject(reason));
    };
    const onExit = (code: number) => fail(new Error(`the rendering thread ended with code ${code}`));
    const onMessage = (answer: RenderAnswer) => {
      if ('fault' in answer) {
        fail(answer.fault);
        return;
      }
      finish();
      resolve(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength));
    };
    worker.on('message', onMessage).once('error', fail).once('exit', onExit);
    worker.postMessage(request);
  });
}
