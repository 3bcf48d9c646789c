import { clock } from '../../../ground/lib/clock.ts';
import { expiryOf } from '../../../ground/lib/signed-link.ts';
import { readEnvironmentToday } from '../../../subjects/accounts/entry/environment-time.ts';
import { type BookRequest, fileOf, refusalOfBook } from '../../../subjects/register-books/book.ts';
import { BOOK_LIMITS } from '../../../subjects/register-books/limits.ts';
import { BOOK_LINK_SECONDS, bookLinks, bookUrl } from '../../../subjects/register-books/links.ts';
import type { BOOK_FORMATS } from '../../../subjects/register-books/types.ts';
import { builder } from '../builder.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';

const BookFormatEnum = builder.enumType('RegisterBookFormat', {
  description: 'The file format of a register book.',
  values: {
    csv: { description: 'CSV, separated by semicolons.' },
    xlsx: { description: 'An Excel workbook.' },
  } as const satisfies Record<(typeof BOOK_FORMATS)[number], object>,
});

type LinkTo = { readonly filename: string; readonly downloadUrl: string; readonly expiresAt: Date };

const RegisterBook = builder.objectRef<LinkTo>('RegisterBook').implement({
  description: 'The download of the register book of a period.',
  fields: (t) => ({
    filename: t.exposeString('filename', { description: 'The file name.' }),
    downloadUrl: t.exposeString('downloadUrl', {
      description: 'The URL of the file, which is generated while it is downloaded. It needs no key.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the link expires.',
    }),
  }),
});

builder.queryField('registerBook', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: RegisterBook,
    description: `A link, valid for 15 minutes, to the VAT register of issued invoices of at most ${BOOK_LIMITS.bookDays.value} days, in the columns of the agency’s common layout. Its rows add up to the \`invoiceTotals\` of the same days.`,
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'The first day of issue.' }),
      to: t.arg({ type: 'Date', required: true, description: 'The last day of issue.' }),
      format: t.arg({ type: BookFormatEnum, required: true, description: 'The file format.' }),
      activity: t.arg.string({
        description:
          'The taxpayer’s activity in each row: code, type and group of the IAE, such as `A036533`. Empty columns without it.',
      }),
      ...environmentArguments,
    },
    resolve: async (_root, { from, to, format, activity = null, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const { db, config, linkSecrets } = context.services;
      const request: BookRequest = { from, to, format, activity };
      const refusal = refusalOfBook(request, await readEnvironmentToday(db.pool, environmentId));
      if (refusal !== null) return valueOrThrow<LinkTo>(refusal);
      const { expires, expiresAt } = expiryOf(clock.now(), BOOK_LINK_SECONDS);
      const token = bookLinks.sign(linkSecrets.current, { environmentId, ...request, expires });
      const { filename } = fileOf(request);
      return {
        filename,
        downloadUrl: bookUrl(config.baseUrl, token),
        expiresAt,
      };
    },
  }),
);
