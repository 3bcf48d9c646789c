import { setPriority } from 'node:os';
import { createRenderer } from '../../../src/subjects/documents/render.ts';
import { documentContent } from '../document-contents.ts';

/** Which renderer is to make documents of so many lines, and for how long. */
export type RenderingTask = {
  readonly renderer: 'ours' | 'react-pdf';
  readonly lines: number;
  readonly warmUpSeconds: number;
  /** So many at least are made before anything is measured: V8 needs them to know the code. */
  readonly warmUpDocuments: number;
  readonly seconds: number;
};

/** What came of it. `cpuSeconds`: of the whole process, all its threads. */
export type Rendered = {
  readonly documents: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly bytes: number;
};

const task = await new Promise<RenderingTask>((given) =>
  process.once('message', (message) => given(message as RenderingTask)),
);
// Ours as the service has it: in a thread that yields to everybody else, content in and bytes out. Theirs yields too.
if (task.renderer === 'react-pdf') setPriority(10);
const ours = createRenderer({ threads: 1 });
const render =
  task.renderer === 'ours' ? ours.render : (await import('../react-pdf-invoice.ts')).renderWithReactPdf;

/** Work is always waiting, as the jobs have it: what is measured is a rate. */
const CONCURRENCY = 4;

let begun = 0;
let count = 0;
let bytes = 0;

/** Until the time is over and so many more are made. */
async function renderFor(seconds: number, atLeast: number): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  const enough = count + atLeast;
  const renderOn = async () => {
    do {
      begun += 1;
      const pdf = await render(documentContent(begun, task.lines));
      bytes += pdf.length;
      count += 1;
    } while (performance.now() < until || count < enough);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, renderOn));
}

await renderFor(task.warmUpSeconds, task.warmUpDocuments);
const before = { count, bytes, cpu: process.cpuUsage(), at: performance.now() };
await renderFor(task.seconds, 1);
const { user, system } = process.cpuUsage(before.cpu);
const documents = count - before.count;
process.send!({
  documents,
  seconds: (performance.now() - before.at) / 1_000,
  cpuSeconds: (user + system) / 1e6,
  bytes: Math.round((bytes - before.bytes) / documents),
} satisfies Rendered);
await ours.stop();
process.disconnect();
