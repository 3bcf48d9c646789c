import { z } from 'zod';
import { id } from '../../ground/lib/request-fields.ts';
import { exactLine } from '../../ground/lib/text.ts';

/** The longest URL that browsers and proxies reliably transport. */
const LONGEST_URL = 2_048;

/** The customer whose page is opened, and the target of the page's link back. */
export const portalSessionRequest = z
  .strictObject({
    externalCustomerId: exactLine(255).describe('The id of the customer in the integration.'),
    integrationId: id.nullish().describe('The integration; required if the environment has several.'),
    returnUrl: z
      .url({ protocol: /^https?$/ })
      .max(LONGEST_URL)
      .nullish()
      .describe('The target of the page’s back link; http or https.'),
  })
  .meta({
    id: 'CustomerPortalSessionRequest',
    description: 'The customer whose page the link opens.',
  });

export type PortalSessionRequest = z.output<typeof portalSessionRequest>;
