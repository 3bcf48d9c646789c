import type { Command } from 'commander';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import {
  type ConsistencyResult,
  readConsistencyFile,
  verifyConsistency,
} from '../../subjects/journal/consistency-file.ts';
import { readNotes, readVerifierKey } from '../../subjects/journal/note.ts';
import {
  isFault,
  type ProofFault,
  type ProvenInvoice,
  verifyProof,
} from '../../subjects/journal/proof-file.ts';
import { type CliRuntime, standaloneCommand } from './command.ts';
import { CheckResult } from './exit-status.ts';
import { operand, requiredOption } from './options.ts';
import { fileContent } from './secrets.ts';

export function verifyProofFile(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'verify-proof',
    description: 'verifies the proof of an invoice with only the public key',
    details:
      'Verifies a proof returned by `invoice.proof` of GraphQL: that the journal’s entry covers the content shown, that the entry is in the tree of the checkpoint, and that the checkpoint is signed with the key. It needs no database, no settings and no network. Ends with 6 if a part is invalid. It does not reveal whether the invoice was voided or corrected later.',
    parameters: {
      file: operand('the file with the proof'),
      key: requiredOption(
        'key',
        'the public key, as shown by "lacre checkpoint --json" and GraphQL’s `checkpoint`',
      ),
    },
    examples: [['On any machine', 'verify-proof proof.json --key $PUBLICKEY']],
    async run({ json }, { file, key }) {
      const verifier = readVerifierKey(key);
      if (verifier === null)
        return invalidField('key', 'invalid_format', 'is not a public key of checkpoints');
      const content = fileContent(file, 'file');
      if (isRefusal(content)) return content;
      const result = verifyProof(parsed(content), verifier);
      const answer = json ? { proven: !isFault(result), ...result } : proofText(result);
      return isFault(result) ? new CheckResult('check_failed', answer) : answer;
    },
  });
}

export function verifyConsistencyFile(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'verify-consistency',
    description: 'verifies with only the public key that later checkpoints extend earlier ones',
    details:
      'Compares checkpoints that you have stored with a file of proofs, from `lacre checkpoint --since` or `consistencyProof` of GraphQL: that each journal at the later checkpoint begins with exactly the entries that yours covers. It needs no database, no settings and no network. Ends with 6 if one of your checkpoints is not proven to be extended.',
    parameters: {
      file: operand('the file with the proofs'),
      checkpoint: requiredOption('path', 'the file with the checkpoints that you have stored'),
      key: requiredOption('key', 'the public key with which the checkpoints are signed'),
    },
    examples: [
      [
        'On any machine',
        'verify-consistency proofs.json --checkpoint lacre-2026-11-22.notes --key $PUBLICKEY',
      ],
    ],
    async run({ json }, { file, checkpoint, key }) {
      const verifier = readVerifierKey(key);
      if (verifier === null)
        return invalidField('key', 'invalid_format', 'is not a public key of checkpoints');
      const [content, stored] = [fileContent(file, 'file'), fileContent(checkpoint, 'checkpoint')];
      if (isRefusal(content)) return content;
      if (isRefusal(stored)) return stored;
      const earlier = readNotes(stored.toString('utf8'), verifier);
      if (earlier.length === 0) return invalidField('checkpoint', 'invalid_format', 'contains no checkpoint');
      const proofs = readConsistencyFile(content.toString('utf8'));
      if (proofs === null) return invalidField('file', 'invalid_format', 'contains no consistency proofs');
      const shown = verifyConsistency(proofs, earlier, verifier);
      const consistent = shown.every(({ fault }) => fault === null);
      const answer = json ? { consistent, checkpoints: shown } : shown.map(consistencyText).join('');
      return consistent ? answer : new CheckResult('check_failed', answer);
    },
  });
}

function consistencyText({ origin, size, extendedTo, fault }: ConsistencyResult): string {
  const treeSize = `${origin}, ${size} entries`;
  return fault === null ? `${treeSize}: extended to ${extendedTo}\n` : `${treeSize}: NOT SHOWN: ${fault}\n`;
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return null;
  }
}

function proofText(result: ProvenInvoice | ProofFault): string {
  if (isFault(result)) return `NOT PROVEN: ${result.part} ${result.reason}\n`;
  const { invoice, position, checkpoint } = result;
  const total = (invoice.total / 100).toFixed(2);
  return `proven: invoice ${invoice.number} (${invoice.id}) of ${invoice.issuedAt}, ${total} in total\n  entry ${position} of ${checkpoint.origin}, in the checkpoint over ${checkpoint.size} entries with the root ${checkpoint.root}\n`;
}
