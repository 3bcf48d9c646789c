import { z } from 'zod';
import { signedLinks } from '../../../ground/lib/signed-link.ts';
import { EXPORTED } from '../types.ts';

/** Links to the export of a period. */
export const exportLinks = signedLinks('export of documents', {
  environmentId: z.int(),
  actor: z.string(),
  from: z.string(),
  to: z.string(),
  formats: z.array(z.enum(EXPORTED)),
});

/** The URL that accepts a token. `baseUrl` has no trailing slash. */
export function exportUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/v1/invoices/export/file?token=${token}`;
}
