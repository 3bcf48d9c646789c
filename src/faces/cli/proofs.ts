import type { Command } from 'commander';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { readVerifierKey } from '../../subjects/journal/note.ts';
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
    description: 'checks the proof of an invoice, with nothing but the public key',
    details:
      'Checks a proof as `invoice.proof` of GraphQL gives it: that what it shows of the invoice is what the journal’s entry covers, that the entry is in the tree of the checkpoint, and that the checkpoint is signed by the key. It needs no database, no settings and no network. It ends with 6 when a part does not fit. Whether the invoice was voided or corrected later it does not tell.',
    parameters: {
      file: operand('the file with the proof'),
      key: requiredOption(
        'key',
        'the public key, as "lacre checkpoint --json" and GraphQL’s `checkpoint` tell it',
      ),
    },
    examples: [['On any machine', 'verify-proof proof.json --key $PUBLICKEY']],
    async run({ json }, { file, key }) {
      const verifier = readVerifierKey(key);
      if (verifier === null) return invalidField('key', 'invalid_format', 'is no public key of checkpoints');
      const content = fileContent(file, 'file');
      if (isRefusal(content)) return content;
      const result = verifyProof(parsed(content), verifier);
      const answer = json ? { proven: !isFault(result), ...result } : inWords(result);
      return isFault(result) ? new CheckResult('check_failed', answer) : answer;
    },
  });
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return null;
  }
}

function inWords(result: ProvenInvoice | ProofFault): string {
  if (isFault(result)) return `NOT PROVEN: ${result.part} ${result.reason}\n`;
  const { invoice, position, checkpoint } = result;
  const total = (invoice.total / 100).toFixed(2);
  return `proven: invoice ${invoice.number} (${invoice.id}) of ${invoice.issuedAt}, ${total} in total\n  entry ${position} of ${checkpoint.origin}, in the checkpoint over ${checkpoint.size} entries with the root ${checkpoint.root}\n`;
}
