import { z } from 'zod';
import { line } from '../../ground/lib/text.ts';

/** What browsers and proxies still carry in one piece. */
const LONGEST_URL = 2_048;

/** Whose page is to be opened, and where a link on it leads back to. */
export const portalSessionRequest = z
  .strictObject({
    externalCustomerId: line(255),
    integrationId: z.string().nullish(),
    returnUrl: z
      .url({ protocol: /^https?$/ })
      .max(LONGEST_URL)
      .nullish(),
  })
  .meta({ id: 'CustomerPortalSessionRequest' });

export type PortalSessionRequest = z.output<typeof portalSessionRequest>;
