import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { Streams } from './output.ts';

const STANDARD_INPUT = '-';

/** The content of a file that the command line names; `invalid_request` when it cannot be read. */
export function fileContent(path: string, field: string): Outcome<Buffer> {
  try {
    return readFileSync(path);
  } catch (error) {
    return invalidField(field, 'not_readable', `cannot be read: ${(error as Error).message}`);
  }
}

/**
 * A password: from a file, from standard input with `-`, or requested where somebody sits at a terminal; never from the
 * command line, which everybody on the machine may read. Of a file it is the only line. Empty when there is none.
 */
export async function password(
  streams: Streams,
  { path, field, question }: { path: string | undefined; field: string; question: string },
): Promise<Outcome<string>> {
  if (path === STANDARD_INPUT) return withoutLineEnd(await whole(streams.stdin));
  if (path !== undefined) {
    const content = fileContent(path, field);
    return isRefusal(content) ? content : withoutLineEnd(content.toString('utf8'));
  }
  if (streams.stdin.isTTY !== true || streams.stderr.isTTY !== true) return '';
  return prompt(streams, question);
}

/** Editors end a file with a line break, which is not part of the password. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

async function whole(stream: Streams['stdin']): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

/** The typed characters are not echoed. */
async function prompt({ stdin, stderr }: Streams, question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  stderr.write(question);
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
