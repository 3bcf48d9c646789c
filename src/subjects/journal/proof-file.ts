import { z } from 'zod';
import { canonicalJson, sha256 } from '../../ground/journal/canonical.ts';
import { entryHash } from '../../ground/journal/entry.ts';
import { type ReadNote, readNotes, type Verifier } from './note.ts';
import { rootByPath } from './tree.ts';

/** The first line of a proof; another format gets another number. */
export const PROOF_FORMAT = 'lacre invoice proof 1';

/** The first line of a proof of transparency logs (C2SP tlog-proof). */
const TLOG_PROOF = 'c2sp.org/tlog-proof@v1';

const hexadecimal = z.string().regex(/^[0-9a-f]{64}$/);
/** It is one line in an entry's text. */
const line = z
  .string()
  .regex(/^[^\r\n]+$/)
  .max(1_000);
const members = z.record(z.string(), z.unknown());

const proofFile = z.strictObject({
  format: z.literal(PROOF_FORMAT),
  entry: z.strictObject({
    position: z.int().min(1),
    type: z.enum(['invoice.issued', 'invoice.imported']),
    subject_id: line,
    record_id: line.nullable(),
    created_at: z.iso.datetime({ precision: 3 }),
    previous: hexadecimal,
  }),
  content: z.strictObject({
    body_sha256: hexadecimal,
    invoice: members,
    record: z.strictObject({ row: members, xml_sha256: hexadecimal }).optional(),
  }),
  body: z.strictObject({
    exchanges: z.array(z.string()),
    invoice: members,
    lines: z.array(members),
    tax_items: z.array(members),
  }),
  xml: z.string().nullable(),
  tlog_proof: z.string(),
});

/**
 * An inclusion proof of an invoice: the entry of the journal for its issue, everything that the entry covers, and
 * the path from there to a signed checkpoint. docs/journal.md explains how to verify it.
 */
export type ProofFile = z.output<typeof proofFile>;

/** The part of a proof that is invalid, and why. */
export type ProofFault = { readonly part: string; readonly reason: string };

/** What a proof proves. */
export type ProvenInvoice = {
  readonly invoice: {
    readonly id: string;
    readonly number: string;
    readonly issuedAt: string;
    readonly total: number;
  };
  readonly position: number;
  readonly checkpoint: { readonly origin: string; readonly size: number; readonly root: string };
};

const fault = (part: string, reason: string): ProofFault => ({ part, reason });

/**
 * Verifies a proof with only the public key. Each part is covered: the body and the record's XML by the content's
 * hashes, the content by the entry's, the entry by the path, the path by the checkpoint's root, and the checkpoint
 * by its signature.
 */
export function verifyProof(value: unknown, verifier: Verifier): ProvenInvoice | ProofFault {
  const parsed = proofFile.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return fault(issue?.path.map(String).join('.') || 'file', issue?.message ?? 'is no proof');
  }
  // Hashed as received: parsing with a schema could drop fields.
  const proof = value as ProofFile;
  const wrong = contentMismatch(proof);
  if (wrong !== null) return wrong;
  const inclusion = readTlogProof(proof.tlog_proof, verifier);
  if (inclusion === null)
    return fault('tlog_proof', 'is not a proof of transparency logs with one checkpoint');
  const { index, path, note } = inclusion;
  if (!note.signed) return fault('tlog_proof', 'the checkpoint is not signed by this key');
  if (index !== proof.entry.position - 1)
    return fault('entry.position', 'is not the index of the inclusion proof');
  const root = rootByPath(leafOf(proof, note.origin), index, note.size, path);
  if (root?.equals(note.root) !== true)
    return fault('entry', 'the entry is not in the tree of the checkpoint');
  const { number, issued_at: issuedAt } = proof.content.invoice as { number: string; issued_at: string };
  const { id, total } = proof.body.invoice as { id: string; total: number };
  return {
    invoice: { id, number, issuedAt, total },
    position: proof.entry.position,
    checkpoint: { origin: note.origin, size: note.size, root: note.root.toString('base64') },
  };
}

export const isFault = (result: ProvenInvoice | ProofFault): result is ProofFault => 'part' in result;

function contentMismatch({ entry, content, body, xml }: ProofFile): ProofFault | null {
  if (sha256(canonicalJson(body)) !== content.body_sha256)
    return fault('body', 'has another hash than the content says');
  if (body.invoice['id'] !== entry.subject_id)
    return fault('entry.subject_id', 'is not the invoice of the body');
  const { record } = content;
  if ((record === undefined) !== (entry.type === 'invoice.imported')) {
    return fault('content.record', 'an invoice has a record unless it was imported');
  }
  if ((record?.row['id'] ?? null) !== entry.record_id)
    return fault('entry.record_id', 'is not the record of the content');
  if ((record === undefined) !== (xml === null))
    return fault('xml', 'must be present if, and only if, there is a record');
  if (record !== undefined && sha256(xml!) !== record.xml_sha256) {
    return fault('xml', 'has another hash than the content says');
  }
  return null;
}

function leafOf({ entry, content }: ProofFile, origin: string): Buffer {
  const {
    position,
    type,
    subject_id: subjectId,
    record_id: recordId,
    created_at: createdAt,
    previous,
  } = entry;
  const contentHash = sha256(canonicalJson(content));
  return Buffer.from(
    entryHash({
      ...{ origin, position, type, subjectId, recordId, createdAt: new Date(createdAt), contentHash },
      previous,
    }),
    'hex',
  );
}

/** No tree that can exist has a longer path. */
const LONGEST_PATH = 64;

type Inclusion = { readonly index: number; readonly path: readonly Buffer[]; readonly note: ReadNote };

/** Null for anything but the canonical text of the format. */
function readTlogProof(text: string, verifier: Verifier): Inclusion | null {
  const end = text.indexOf('\n\n');
  const [first, place = '', ...hashes] = text.slice(0, Math.max(end, 0)).split('\n');
  const index = /^index (0|[1-9]\d{0,9})$/.exec(place)?.[1];
  if (first !== TLOG_PROOF || index === undefined || hashes.length > LONGEST_PATH) return null;
  if (!hashes.every((hash) => /^[A-Za-z0-9+/]{43}=$/.test(hash) && isCanonical(hash))) return null;
  const rest = text.slice(end + 2);
  const notes = readNotes(rest, verifier);
  const [note] = notes;
  if (note === undefined || notes.length !== 1) return null;
  // Text around the note would not be covered by anything.
  if (!rest.startsWith(`${note.origin}\n`) || !/^[^\n]+\n\d+\n[^\n]+\n\n(?:— [^\n]+\n)+$/.test(rest))
    return null;
  return { index: Number(index), path: hashes.map((hash) => Buffer.from(hash, 'base64')), note };
}

const isCanonical = (encoded: string): boolean =>
  Buffer.from(encoded, 'base64').toString('base64') === encoded;

/** The proof of transparency logs: the index counts from 0, the path begins at the leaf's sibling. */
export function tlogProof(index: number, path: readonly Buffer[], note: string): string {
  return `${[TLOG_PROOF, `index ${index}`, ...path.map((hash) => hash.toString('base64'))].join('\n')}\n\n${note}`;
}
