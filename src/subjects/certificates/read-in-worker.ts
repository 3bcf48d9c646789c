import { type FieldIssue, invalidField, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { WorkerTask } from '../../ground/lib/worker-task.ts';
import { CERTIFICATE_LIMITS } from './limits.ts';
import type { CertificateFile, ReadCertificate } from './read-certificate.ts';

/** The result of the reading thread: the certificate, or what is wrong with the file. */
export type WorkerReading = { readonly read: ReadCertificate } | { readonly issue: FieldIssue };

/** One at a time in the process, for all uploads together. */
const worker = new WorkerTask<CertificateFile, WorkerReading>(new URL('./read-worker.ts', import.meta.url), {
  withinMs: CERTIFICATE_LIMITS.certificateTime.value,
  waiting: CERTIFICATE_LIMITS.certificatesWaiting.value,
  heapMb: 64,
});

/**
 * Reads an uploaded certificate file in a separate thread: a password may be slow to derive a key from, and old
 * encryptions are computed in JavaScript. Refuses as `readCertificate` does, with `too_costly` when it takes too
 * long, and with `rate_limited` when too many files wait already.
 */
export async function readCertificateInWorker(file: CertificateFile): Promise<Outcome<ReadCertificate>> {
  const outcome = await worker.run(file);
  switch (outcome.kind) {
    case 'busy':
      return new Refusal('rate_limited', 'Too many certificates are being read. Retry later.', {
        retryAfter: Math.ceil(CERTIFICATE_LIMITS.certificateTime.value / 1_000),
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
