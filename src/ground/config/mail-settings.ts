import { z } from 'zod';
import { about } from './about-setting.ts';
import { readBounces, readMailServer, readSender } from './setting-values.ts';

/** The settings of e-mail; part of `SETTINGS`. */
export const MAIL_SETTINGS = {
  SMTP_URL: z.string().transform(readMailServer).optional().register(about, {
    group: 'E-mail',
    meaning:
      'The mail server that sends invoices, with user and password if it requires them. `smtps` uses TLS from the start; `smtp` upgrades with STARTTLS, which is required with `AGENCY=production` and whenever there is a password, unless the server is on this machine. Requires `EMAIL_FROM`.',
    values: '`smtp://user:password@host:port`, or `smtps://…`',
    otherwise:
      'none: nothing is sent, but the demo with its own database writes messages to `mail` in `DATA_DIR`',
    secret: true,
  }),
  EMAIL_FROM: z.string().transform(readSender).optional().register(about, {
    group: 'E-mail',
    meaning:
      'The sender address of messages, and the address for bounces without `EMAIL_BOUNCES`, in a domain that lets `SMTP_URL` send for it ([SPF, DKIM, DMARC](sending.md#for-operators)).',
    values: 'e-mail address',
    otherwise: 'none',
  }),
  EMAIL_BOUNCES: z.string().transform(readBounces).optional().register(about, {
    group: 'E-mail',
    meaning:
      'The mailbox for bounces: each message gets a return path of its own in it (`bounces+…@`), so the mail server that receives it must support subaddresses with a plus sign ([how they are read](sending.md#bounces)).',
    values: 'e-mail address, at most 14 characters before the `@`',
    otherwise: 'bounces are sent to `EMAIL_FROM`',
  }),
} as const;
