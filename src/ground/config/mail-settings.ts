import { z } from 'zod';
import { about } from './about-setting.ts';
import { readBounces, readMailServer, readSender } from './setting-values.ts';

/** The settings of e-mail; part of `SETTINGS`. */
export const MAIL_SETTINGS = {
  SMTP_URL: z.string().transform(readMailServer).optional().register(about, {
    group: 'E-mail',
    meaning:
      'The mail server that invoices are handed to, with its user and password where it wants them. `smtps` speaks TLS from the start; `smtp` goes over to it (STARTTLS), which is demanded with `AGENCY=production` and wherever there is a password, unless the server is on this machine. Goes together with `EMAIL_FROM`.',
    values: '`smtp://user:password@host:port`, or `smtps://…`',
    otherwise:
      'none: nothing is sent, but the demo on a database of its own writes messages to `mail` in `DATA_DIR`',
    secret: true,
  }),
  EMAIL_FROM: z.string().transform(readSender).optional().register(about, {
    group: 'E-mail',
    meaning:
      'The address that messages come from, and that bounces go to without `EMAIL_BOUNCES`, of a domain that lets `SMTP_URL` send for it ([SPF, DKIM, DMARC](sending.md#for-operators)).',
    values: 'e-mail address',
    otherwise: 'none',
  }),
  EMAIL_BOUNCES: z.string().transform(readBounces).optional().register(about, {
    group: 'E-mail',
    meaning:
      'The mailbox that bounces go to: each message gets a return path of its own in it (`bounces+…@`), so the mail server that receives it must take what stands behind a plus sign ([how they are read](sending.md#bounces)).',
    values: 'e-mail address, at most 14 characters before the `@`',
    otherwise: 'bounces go to `EMAIL_FROM`',
  }),
} as const;
