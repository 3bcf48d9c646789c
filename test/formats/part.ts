import { parentPort, workerData } from 'node:worker_threads';
import { isRefusal, type Outcome } from '../../src/ground/errors/refusal.ts';
import { ciiOf } from '../../src/subjects/formats/en16931/cii.ts';
import { semanticInvoice } from '../../src/subjects/formats/en16931/invoice.ts';
import { ublOf } from '../../src/subjects/formats/en16931/ubl.ts';
import { ublEsOf } from '../../src/subjects/formats/en16931/ubl-es.ts';
import { facturaeOf, textOf } from '../../src/subjects/formats/facturae/facturae.ts';
import { facturaeSource } from '../../src/subjects/formats/facturae/sealed.ts';
import {
  type PublishedChecks,
  publishedChecks,
} from '../../src/subjects/formats/reading/published-checks.ts';
import { type ReadSyntax, readFile } from '../../src/subjects/formats/reading/read-file.ts';
import type { FormatSource } from '../../src/subjects/formats/source.ts';
import { randomInvoice } from '../support/formats/random-invoices.ts';
import { EINVOICE_SCHEMAS } from '../support/formats/rules.ts';
import type { Tally } from './tally.ts';

const { first, step, count } = workerData as { first: number; step: number; count: number };
const folder = EINVOICE_SCHEMAS;
const checks: Record<ReadSyntax, PublishedChecks> | null =
  folder === undefined
    ? null
    : {
        ubl: publishedChecks(folder, 'ubl'),
        cii: publishedChecks(folder, 'cii'),
        facturae: publishedChecks(folder, 'facturae'),
      };

const WRITERS: readonly [
  format: string,
  syntax: ReadSyntax,
  write: (source: FormatSource) => Outcome<Buffer>,
][] = [
  ['ubl', 'ubl', (source) => fromModel(source, ublOf)],
  ['cii', 'cii', (source) => fromModel(source, ciiOf)],
  ['ubl_es', 'ubl', ublEsOf],
  ['facturae', 'facturae', facturae],
];

function facturae(source: FormatSource): Outcome<Buffer> {
  const document = facturaeOf(facturaeSource(source));
  return isRefusal(document) ? document : Buffer.from(textOf(document));
}

function fromModel(
  source: FormatSource,
  write: (invoice: Exclude<ReturnType<typeof semanticInvoice>, { code: string }>) => Outcome<Buffer>,
): Outcome<Buffer> {
  const invoice = semanticInvoice(source);
  return isRefusal(invoice) ? invoice : write(invoice);
}

const cells = new Map<string, Tally['documents'][number]>();
const refused: Record<string, number> = {};

for (let seed = first; seed < count; seed += step) {
  const { kind, source } = randomInvoice(seed);
  for (const [format, syntax, write] of WRITERS) {
    const document = write(source);
    if (isRefusal(document)) {
      const term = `${format} ${document.errors[0]?.field}`;
      refused[term] = (refused[term] ?? 0) + 1;
      continue;
    }
    const key = `${format} ${kind}`;
    const cell = cells.get(key) ?? { format, kind, sizes: [], findings: {} };
    cells.set(key, cell);
    cell.sizes.push(document.length);
    for (const fault of [...faultsOf(String(document), syntax), ...(await readFaults(document))])
      cell.findings[fault] = (cell.findings[fault] ?? 0) + 1;
  }
}
parentPort!.postMessage({ documents: [...cells.values()], refused } satisfies Tally);

/** What the reader of other people's documents finds in ours. */
async function readFaults(document: Buffer): Promise<string[]> {
  const { documents } = await readFile('document', document);
  return documents.flatMap(({ findings }) => findings.map(({ rule }) => `read: ${rule}`));
}

function faultsOf(text: string, syntax: ReadSyntax): string[] {
  if (checks === null) return [];
  const { schemaErrors, findings } = checks[syntax];
  const fatal = findings(text).filter(({ isFatal }) => isFatal);
  return [...schemaErrors(text).map((error) => `schema: ${error}`), ...fatal.map(({ rule }) => rule)];
}
