import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { EINVOICE_SCHEMAS } from '../support/formats/rules.ts';
import { longInvoiceMillis } from './speed.ts';
import type { Tally } from './tally.ts';

/**
 * `npm run formats -- [count] [--seed N]`: random invoices of every kind and tax in each format, held against the published schemas
 * and the rules of EN 16931. Factur-X and signed Facturae are made of every tenth, and every hundredth signature is verified by xmlsec1 too. Prints by kind how many have the format, what was found and how large they are, then why the
 * others were refused, and how long an invoice of 500 lines takes. Ends with 1 when anything was found.
 */

const MOST = 10_000;
/** How large Factur-X may be, by the plain PDF. */
const MAX_RATIO_TO_PLAIN = 1.3;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '0' } },
});
const count = Number(positionals[0] ?? MOST);
/** The seed of the first invoice; each one after it has the next. */
const seed = Number(values.seed);
if (!Number.isInteger(count) || count < 1 || count > MOST || !Number.isSafeInteger(seed) || seed < 0) {
  console.error(`how many: 1 to ${MOST}; --seed: a whole number`);
  process.exit(2);
}
if (EINVOICE_SCHEMAS === undefined) {
  console.error('!!! EINVOICE_SCHEMAS is not set: nothing is held against schemas and rules.');
}

// Before anything else takes the processor.
const millis = longInvoiceMillis();
const threads = Math.min(availableParallelism(), count);
console.error(`${count} invoices from seed ${seed} on, in ${threads} threads`);
let checked = 0;
const tallies = await Promise.all(Array.from({ length: threads }, (_, first) => part(first)));
const found = report(tallies);
console.log(`\nUBL of an invoice of 500 lines: ${millis.toFixed(1)} ms of processor time (median of 51)`);
process.exit(found === 0 ? 0 : 1);

/** Tells twenty times how far it is. */
function noteChecked(): void {
  checked += 1;
  const pace = Math.ceil(count / 20);
  if (checked % pace === 0)
    console.error(`${checked} of ${count} after ${Math.round(performance.now() / 1_000)} s`);
}

/** What one thread finds of the invoices that are its own. */
function part(first: number): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const url = new URL('./part.ts', import.meta.url);
    const worker = new Worker(url, { workerData: { first, step: threads, count, seed } });
    worker.on('message', (message: Tally | 'checked') =>
      message === 'checked' ? noteChecked() : resolve(message),
    );
    worker.once('error', reject);
  });
}

function report(parts: readonly Tally[]): number {
  const cells = new Map<string, Tally['documents'][number]>();
  for (const { documents } of parts) {
    for (const [key, cell] of documents.map((one) => [`${one.format} ${one.kind}`, one] as const)) {
      const known = cells.get(key);
      if (known === undefined) cells.set(key, { ...cell, sizes: [...cell.sizes], ratios: [...cell.ratios] });
      else {
        known.sizes.push(...cell.sizes);
        known.ratios.push(...cell.ratios);
        for (const finding of Object.keys(cell.findings)) {
          known.findings[finding] = (known.findings[finding] ?? 0) + cell.findings[finding]!;
        }
      }
    }
  }
  console.log(`${count} invoices, seeds ${seed} to ${seed + count - 1}\n`);
  console.log(
    'format          kind            documents  median bytes  largest  schema errors and fatal findings',
  );
  let all = 0;
  for (const [, { format, kind, sizes, findings }] of [...cells].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    const sorted = sizes.sort((one, other) => one - other);
    const faults = Object.entries(findings);
    all += faults.reduce((sum, [, times]) => sum + times, 0);
    const faultText =
      faults.length === 0 ? '0' : faults.map(([what, times]) => `${times} × ${what}`).join('; ');
    console.log(
      `${format.padEnd(16)}${kind.padEnd(16)}${String(sizes.length).padStart(9)}  ${String(sorted[sorted.length >> 1]).padStart(12)}  ${String(sorted.at(-1)).padStart(7)}  ${faultText}`,
    );
  }
  const ratios = [...cells.values()].flatMap((cell) => cell.ratios).sort((one, other) => one - other);
  const above = ratios.filter((ratio) => ratio > MAX_RATIO_TO_PLAIN).length;
  console.log(
    `\nFactur-X by the plain PDF, CII counted: median ${ratios[ratios.length >> 1]?.toFixed(3)}, largest ${ratios.at(-1)?.toFixed(3)}, ${above} of ${ratios.length} above ${MAX_RATIO_TO_PLAIN}`,
  );
  all += above;
  console.log(
    `signed documents verified by xmlsec1: ${parts.reduce((sum, { verified }) => sum + verified, 0)}`,
  );
  const refused = new Map<string, number>();
  for (const part of parts) {
    for (const [term, times] of Object.entries(part.refused))
      refused.set(term, (refused.get(term) ?? 0) + times);
  }
  console.log('\nrefused, by format and term');
  for (const [term, times] of [...refused].sort()) console.log(`${String(times).padStart(7)}  ${term}`);
  return all;
}
