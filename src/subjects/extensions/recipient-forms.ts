import { z } from 'zod';
import { fault, flag } from '../../ground/lib/request-fields.ts';
import { type Sent, storedAsSent } from './extension.ts';

/**
 * Two forms of a complete invoice between it and a ticket: one that the law calls simplified although it names its
 * recipient, and one whose recipient needs no tax id. A rectificativa of an invoice of ours has the form of that
 * invoice, so its request names none.
 */

/** RD 1619/2012 art. 7.2 and 7.3. */
export const qualifiedSimplified = storedAsSent('qualifiedSimplified', {
  request: flag.describe(
    'True on a `complete` invoice makes it a simplified one that names its recipient, as businesses may demand (RD 1619/2012 art. 7.2, 7.3): with a NIF or an EU VAT number, and within the limits of tickets. A rectificativa inherits it.',
  ),
  value: z.boolean(),
  answered: 'True on a simplified invoice that identifies its recipient (RD 1619/2012 art. 7.2, 7.3).',
  rule: (sent, check) => requireComplete('qualifiedSimplified', sent, check),
});

/** RD 1619/2012 art. 6.1.d. */
export const recipientUnidentified = storedAsSent('recipientUnidentified', {
  request: flag.describe(
    'True on a `complete` invoice whose recipient needs no tax id (RD 1619/2012 art. 6.1.d): name and address are required, every line is `eu_oss` or `es_non_taxable_localization`. A rectificativa inherits it.',
  ),
  value: z.boolean(),
  answered: 'True on a complete invoice whose recipient needs no tax id (RD 1619/2012 art. 6.1.d).',
  rule: (sent, check) => {
    requireComplete('recipientUnidentified', sent, check);
    if (sent['qualifiedSimplified'] === true)
      fault(check, ['recipientUnidentified'], 'not_supported', 'is not supported with qualifiedSimplified');
    if (sent['withholding'] !== undefined)
      fault(check, ['withholding'], 'not_supported', 'is not supported with recipientUnidentified');
  },
});

function requireComplete(name: string, sent: Sent, check: z.RefinementCtx): void {
  if (sent['type'] === 'simplified')
    fault(check, [name], 'not_supported', 'is not supported on a simplified invoice');
  const rectifies = sent['rectifies'] as Readonly<Record<string, unknown>> | undefined;
  if (rectifies?.['period'] !== undefined)
    fault(check, [name], 'not_supported', 'is not supported with rectifies.period');
  else if (rectifies !== undefined && rectifies['external'] === undefined)
    fault(check, [name], 'not_supported', 'is not supported here: the corrected invoice decides it');
}
