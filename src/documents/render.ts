import { Worker } from 'node:worker_threads';
import type { InvoiceContent } from './content.ts';
import { watchRendering } from './metrics.ts';
import { SHORT_LINES } from './turns.ts';

/** What a rendering thread answers. */
export type RenderAnswer = { readonly bytes: Uint8Array } | { readonly fault: unknown };

/** Makes PDFs away from the event loop. */
export type Renderer = {
  /** The invoice's PDF. Rejects when rendering failed or took too long: a bug, never the caller's fault. */
  render(content: InvoiceContent): Promise<Buffer>;
  /** Lets what is under way finish, refuses what comes, and ends the threads. */
  stop(): Promise<void>;
};

type Work = {
  readonly content: InvoiceContent;
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * 500 lines take 0.1 s of processor, 62,000 different words (the most that a request holds) 5 s, and the threads
 * yield to everything else: this long means never.
 */
const LONGEST_MS = 120_000;
/**
 * A thread lives on some 40 MB; 500 lines of the longest texts pass with 64. Without limits V8 lets the heap grow to
 * several times that before it collects, and a runaway document would take the process along. With half the room for
 * young objects a document costs a seventh more.
 */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 32 };

/**
 * A renderer with up to `threads` threads, each started when work first needs it (opening the fonts takes 0.1 s) and
 * then kept; and `forShort` more for short documents while all others draw long ones. Idle threads do not keep the
 * process alive.
 */
export function createRenderer({
  threads,
  forShort = 0,
}: {
  readonly threads: number;
  readonly forShort?: number;
}): Renderer {
  const queue: Work[] = [];
  const all = new Set<Worker>();
  const idle: Worker[] = [];
  const drawing = new Set<Work>();
  const underWay = new Set<Promise<unknown>>();
  let stopped = false;

  function start(): Worker {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      resourceLimits: MEMORY,
    });
    all.add(worker);
    // Whoever waits for it hears of its errors; an idle or ending one has nobody, and must not end the process.
    worker.on('error', () => {});
    // Also when it dies idle: it must not be given work any more.
    worker.once('exit', () => {
      all.delete(worker);
      const position = idle.indexOf(worker);
      if (position >= 0) idle.splice(position, 1);
    });
    return worker;
  }

  function nextWork(): Work | undefined {
    if (drawing.size < threads) return queue.shift();
    if (drawing.size >= threads + forShort || [...drawing].some(isShort)) return undefined;
    const short = queue.findIndex(isShort);
    return short < 0 ? undefined : queue.splice(short, 1)[0];
  }

  function next(): void {
    for (let work = nextWork(); work !== undefined; work = nextWork()) {
      const { content, resolve, reject } = work;
      const worker = idle.pop() ?? start();
      const begun = work;
      drawing.add(begun);
      worker.ref();
      runOn(worker, content)
        .finally(() => drawing.delete(begun))
        .then((pdf) => {
          worker.unref();
          idle.push(worker);
          return pdf;
        })
        .finally(next)
        .then(resolve, reject);
    }
  }

  return {
    render(content) {
      if (stopped) return Promise.reject(new Error('the renderer has been stopped'));
      const promise = watchRendering(
        () =>
          new Promise<Buffer>((resolve, reject) => {
            queue.push({ content, resolve, reject });
          }),
      );
      underWay.add(promise);
      const forget = () => underWay.delete(promise);
      promise.then(forget, forget);
      next();
      return promise;
    },
    async stop() {
      stopped = true;
      await Promise.allSettled(underWay);
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function isShort({ content }: Work): boolean {
  // What has no lines fails, which is quick.
  return (content.lines?.length ?? 0) <= SHORT_LINES;
}

/** One piece of work on an idle thread. After a failure the thread is ended: nothing of it is trusted any more. */
function runOn(worker: Worker, content: InvoiceContent): Promise<Buffer> {
  return new Promise<Buffer>((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error('rendering took too long')), LONGEST_MS);
    const settle = () => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', fail).off('exit', onExit);
    };
    const fail = (reason: unknown) => {
      settle();
      worker.terminate().finally(() => reject(reason));
    };
    const onExit = (code: number) => fail(new Error(`the rendering thread ended with code ${code}`));
    const onMessage = (answer: RenderAnswer) => {
      if ('fault' in answer) {
        fail(answer.fault);
        return;
      }
      settle();
      resolve(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength));
    };
    worker.on('message', onMessage).once('error', fail).once('exit', onExit);
    worker.postMessage(content);
  });
}
