import { z } from 'zod';
import { line } from '../../ground/lib/text.ts';

/** Why an invoice is voided, as the body of a request. */
export const voidBody = z
  .strictObject({ reason: line(500).describe('Why; kept in the audit log and in the journal.') })
  .meta({ id: 'VoidRequest', description: 'Why an invoice should never have been issued.' });

/** What is sent to void an invoice. */
export const voidRequest = z.strictObject({ invoiceId: z.string(), ...voidBody.shape });

export type VoidRequest = z.output<typeof voidRequest>;
