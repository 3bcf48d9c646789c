import { z } from 'zod';
import { signedLinks } from '../../ground/lib/signed-link.ts';

/** Links to the archive of a company. */
export const companyLinks = signedLinks('archive of a company', { companyId: z.string() });

/** The URL that accepts a token. `baseUrl` has no trailing slash. */
export function archiveUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/v1/companies/export/file?token=${token}`;
}
