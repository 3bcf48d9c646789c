import { type FieldIssue, invalidField, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { WorkerTask } from '../../ground/lib/worker-task.ts';
import type { CertificateFile, ReadCertificate } from './read-certificate.ts';

/** What the reading thread answers: the certificate, or what is wrong with the file. */
export type WorkerReading = { readonly read: ReadCertificate } | { readonly issue: FieldIssue };

/** One in the process, whoever uploads. */
const aside = new WorkerTask<CertificateFile, WorkerReading>(new URL('./read-worker.ts', import.meta.url), {
  withinMs: LIMITS.certificateTime.value,
  waiting: LIMITS.certificatesWaiting.value,
  heapMb: 64,
});

/**
 * Reads a certificate file that was sent in, in a thread of its own: a password may be made slow to derive from, and
 * old encryptions are worked on in JavaScript. Refuses as `readCertificate` does, with `too_costly` when it takes too
 * long, and with `rate_limited` when too many files wait already.
 */
export async function readCertificateInWorker(file: CertificateFile): Promise<Outcome<ReadCertificate>> {
  const outcome = await aside.run(file);
  switch (outcome.kind) {
    case 'busy':
      return new Refusal('rate_limited', 'Too many certificates are being read. Retry later.', {
        retryAfter: Math.ceil(LIMITS.certificateTime.value / 1_000),
      });
    case 'too_much':
      return invalidField(file.field, 'too_costly', 'takes longer to read than any certificate');
    case 'done': {
      const { output } = outcome;
      if ('read' in output) return output.read;
      return invalidField(output.issue.field, output.issue.code, output.issue.message);
    }
  }
}
