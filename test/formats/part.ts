import { parentPort, workerData } from 'node:worker_threads';
import { type PublishedChecks, publishedChecks } from '../../packages/reader/src/published-checks.ts';
import { type ReadSyntax, readFile } from '../../packages/reader/src/read-file.ts';
import { isRefusal, type Outcome } from '../../src/ground/errors/refusal.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { ciiOf } from '../../src/subjects/formats/en16931/cii.ts';
import { semanticInvoice } from '../../src/subjects/formats/en16931/invoice.ts';
import { ublOf } from '../../src/subjects/formats/en16931/ubl.ts';
import { ublEsOf } from '../../src/subjects/formats/en16931/ubl-es.ts';
import { facturaeOf, textOf } from '../../src/subjects/formats/facturae/facturae.ts';
import { facturaeSource } from '../../src/subjects/formats/facturae/sealed.ts';
import { signed, signerOf } from '../../src/subjects/formats/facturae/signature/sign.ts';
import type { FormatSource } from '../../src/subjects/formats/source.ts';
import { newAuthority, seal } from '../support/agency/certificates.ts';
import { randomInvoice } from '../support/formats/random-invoices.ts';
import { EINVOICE_SCHEMAS } from '../support/formats/rules.ts';
import { HAVE_XMLSEC, verifiedByXmlsec } from '../support/formats/xmlsec.ts';
import type { Tally } from './tally.ts';

const {
  first,
  step,
  count,
  seed: firstSeed,
} = workerData as { first: number; step: number; count: number; seed: number };
const folder = EINVOICE_SCHEMAS;
const checks: Record<ReadSyntax, PublishedChecks> | null =
  folder === undefined
    ? null
    : {
        ubl: publishedChecks(folder, 'ubl'),
        cii: publishedChecks(folder, 'cii'),
        facturae: publishedChecks(folder, 'facturae'),
      };

type Written = { readonly document: Buffer; readonly ratio?: number };
type Writer = (source: FormatSource) => Outcome<Buffer> | Promise<Outcome<Written>>;

/** Of those that take long every tenth invoice is made, of what is verified by another program every hundredth. */
const SAMPLE = { drawn: 10, signed: 10, verified: 100 };

const WRITERS: readonly (readonly [format: string, syntax: ReadSyntax, write: Writer, each: number])[] = [
  ['ubl', 'ubl', (source) => fromModel(source, ublOf), 1],
  ['cii', 'cii', cii, 1],
  ['ubl_es', 'ubl', ublEsOf, 1],
  ['facturae', 'facturae', facturae, 1],
  ['facturx', 'cii', facturx, SAMPLE.drawn],
  ['facturae_signed', 'facturae', signedFacturae, SAMPLE.signed],
];

function cii(source: FormatSource): Outcome<Buffer> {
  return fromModel(source, ciiOf);
}

async function facturx(source: FormatSource): Promise<Outcome<Written>> {
  const inside = cii(source);
  if (isRefusal(inside)) return inside;
  const document = await renderInvoicePdf(source.content, String(inside));
  const plain = await renderInvoicePdf(source.content);
  return { document, ratio: document.length / plain.length };
}

const SIGNED_AT = new Date();
const authority = newAuthority();
const issued = authority.issue({ subject: seal('B72877814') });
const signer = signerOf({ cert: issued.cert + authority.ca, key: issued.key })!;

async function signedFacturae(source: FormatSource): Promise<Outcome<Written>> {
  const document = facturaeOf(facturaeSource(source));
  if (isRefusal(document)) return document;
  return { document: Buffer.from(textOf(await signed(document, signer, SIGNED_AT))) };
}

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
let verified = 0;

for (let place = first; place < count; place += step) {
  const { kind, source } = randomInvoice(firstSeed + place);
  for (const [format, syntax, write, each] of WRITERS) {
    // The threads take turns, so each of them has its part of the sample.
    if (Math.floor(place / step) % each !== 0) continue;
    const outcome = await write(source);
    if (isRefusal(outcome)) {
      const term = `${format} ${outcome.errors[0]?.field}`;
      refused[term] = (refused[term] ?? 0) + 1;
      continue;
    }
    const { document, ratio }: Written = Buffer.isBuffer(outcome) ? { document: outcome } : outcome;
    const key = `${format} ${kind}`;
    const cell = cells.get(key) ?? { format, kind, sizes: [], findings: {}, ratios: [] };
    cells.set(key, cell);
    cell.sizes.push(document.length);
    if (ratio !== undefined) cell.ratios.push(ratio);
    const isVerified = format === 'facturae_signed' && Math.floor(place / step) % SAMPLE.verified === 0;
    const faults = [...(await faultsIn(document, syntax)), ...(isVerified ? foreignFaults(document) : [])];
    for (const fault of faults) cell.findings[fault] = (cell.findings[fault] ?? 0) + 1;
  }
  parentPort!.postMessage('checked');
}
parentPort!.postMessage({ documents: [...cells.values()], refused, verified } satisfies Tally);

/** What the reader of other people's documents finds in ours, and the published schemas and rules in what it has read. */
async function faultsIn(document: Buffer, syntax: ReadSyntax): Promise<string[]> {
  const { documents } = await readFile('document', document);
  return documents.flatMap(({ findings, signature, xml }) => [
    ...findings.map(({ rule }) => `read: ${rule}`),
    ...(signature?.faults ?? []).map((fault) => `signature: ${fault}`),
    ...publishedFaults(xml, syntax),
  ]);
}

function foreignFaults(document: Buffer): string[] {
  if (!HAVE_XMLSEC) return [];
  const result = verifiedByXmlsec(String(document), authority.ca);
  if (result !== 'verified') return [`xmlsec1: ${result}`];
  verified += 1;
  return [];
}

function publishedFaults(text: string, syntax: ReadSyntax): string[] {
  if (checks === null) return [];
  const { schemaErrors, findings } = checks[syntax];
  const fatal = findings(text).filter(({ isFatal }) => isFatal);
  return [...schemaErrors(text).map((error) => `schema: ${error}`), ...fatal.map(({ rule }) => rule)];
}
