import { type FieldIssue, invalidField, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { WorkerTask } from '../../../ground/lib/worker-task.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';
import type { Logo } from './branding.ts';
import { refuseLogo } from './refuse-logo.ts';

/** The result of the reading thread: the logo, or what is wrong with it. */
export type WorkerLogo = { readonly logo: Logo } | { readonly issue: FieldIssue };

/** One at a time in the process, for all companies together. */
const worker = new WorkerTask<{ readonly type: Logo['type']; readonly bytes: Buffer }, WorkerLogo>(
  new URL('./logo-worker.ts', import.meta.url),
  { withinMs: DOCUMENT_LIMITS.logoTime.value, waiting: DOCUMENT_LIMITS.logosWaiting.value, heapMb: 96 },
);

/**
 * Reads a logo in a separate thread: an image of a million pixels takes some tenths of a second. Refuses as
 * `readLogo` does, with `too_costly` when it takes too long, and with `rate_limited` when too many wait already.
 */
export async function readLogoInWorker(type: Logo['type'], bytes: Buffer): Promise<Outcome<Logo>> {
  const outcome = await worker.run({ type, bytes });
  switch (outcome.kind) {
    case 'busy':
      return new Refusal('rate_limited', 'Too many logos are being read. Retry later.', {
        retryAfter: Math.ceil(DOCUMENT_LIMITS.logoTime.value / 1_000),
      });
    case 'too_much':
      return refuseLogo('too_costly', 'takes too long to read: save it anew with another program');
    case 'done': {
      const { output } = outcome;
      if ('logo' in output) return { ...output.logo, bytes: Buffer.from(output.logo.bytes) };
      return invalidField(output.issue.field, output.issue.code, output.issue.message);
    }
  }
}
