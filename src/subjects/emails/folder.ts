import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { clock } from '../../ground/lib/clock.ts';
import { writeFileAtomically } from '../../ground/lib/write-file.ts';
import { EMAIL_LIMITS } from './limits.ts';
import type { MailTransport } from './transport.ts';

/** A message that was written to a folder instead of being sent. */
const written = z.object({
  id: z.string(),
  writtenAt: z.iso.datetime(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ filename: z.string(), mediaType: z.string(), base64: z.string() })),
});

export type WrittenMessage = Readonly<z.output<typeof written>>;

/** The messages that a demo would have sent. */
export type MailFolder = {
  /** Newest first. */
  list(): readonly WrittenMessage[];
  /** Null when there is none of that id. */
  find(id: string): WrittenMessage | null;
};

const ID = /^eml_[0-9a-f]{32}$/;

/**
 * Writes messages to a folder: each as transmitted (`.eml`), and in its parts (`.json`) for display. Ids sort by
 * creation time, so the first names are the oldest.
 */
export function folderTransport(folder: string): {
  readonly folder: MailFolder;
  readonly transport: MailTransport;
} {
  const ids = (): string[] => {
    mkdirSync(folder, { recursive: true });
    return readdirSync(folder)
      .flatMap((name) => (name.endsWith('.json') && ID.test(name.slice(0, -5)) ? [name.slice(0, -5)] : []))
      .sort()
      .reverse();
  };
  const find = (id: string): WrittenMessage | null => {
    if (!ID.test(id)) return null;
    try {
      return written.parse(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
  const transport: MailTransport = {
    async handOver({ id, to, bytes, parts }, begin) {
      if (!(await begin())) return null;
      const { attachments, ...rest } = parts;
      const files = attachments.map(({ filename, mediaType, bytes: file }) => ({
        ...{ filename, mediaType, base64: file.toString('base64') },
      }));
      writeFileAtomically(join(folder, `${id}.eml`), bytes.toString('latin1'));
      const message = { id, writtenAt: clock.now().toISOString(), ...rest, attachments: files };
      writeFileAtomically(join(folder, `${id}.json`), JSON.stringify(message));
      for (const old of ids().slice(EMAIL_LIMITS.emailsInFolder.value)) {
        for (const kind of ['eml', 'json']) rmSync(join(folder, `${old}.${kind}`), { force: true });
      }
      return {
        replies: to.map((address) => ({
          address,
          status: 'sent' as const,
          response: 'written to the folder',
        })),
        error: null,
      };
    },
    check: async () => null,
  };
  return { folder: { list: () => ids().flatMap((id) => find(id) ?? []), find }, transport };
}
