import { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { isExistingDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { expiryOf } from '../../../ground/lib/signed-link.ts';
import { readEnvironmentTime } from '../../../subjects/accounts/entry/environment-time.ts';
import { DOWNLOAD_LINK_SECONDS } from '../../../subjects/documents/links.ts';
import { exportLinks, exportUrl } from '../../../subjects/formats/export/export-link.ts';
import { countExported } from '../../../subjects/formats/export/export-period.ts';
import { EXPORTED, type Exported } from '../../../subjects/formats/types.ts';
import { builder } from '../builder.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { runSearch } from '../run-search.ts';
import { ExportedFormEnum } from './formats.ts';

type Link = { readonly invoices: number; readonly downloadUrl: string; readonly expiresAt: Date };

const DocumentExport = builder.objectRef<Link>('DocumentExport').implement({
  description: 'A link to the documents of a period.',
  fields: (t) => ({
    invoices: t.exposeInt('invoices', { description: 'The current number of invoices in the period.' }),
    downloadUrl: t.exposeString('downloadUrl', {
      description:
        'The URL of the ZIP file, which is generated while it is downloaded. It needs no key and can be opened repeatedly until it expires.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the link expires.',
    }),
  }),
});

const day = z.string().refine(isExistingDay, { message: 'must be a day, YYYY-MM-DD' });
const request = z.strictObject({ from: day, to: day });

const PAGES: readonly Exported[] = ['pdf'];

builder.queryField('documentExport', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: DocumentExport,
    complexity: 50,
    extensions: { work: () => 'search' },
    description:
      'A link, valid for 15 minutes, to the documents of the invoices that were issued in a period, as one ZIP file. Its `index.csv` has a row for every invoice and format; if an invoice has no such format, the row says `format_not_applicable` with the term and the reason.',
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'The first day.' }),
      to: t.arg({ type: 'Date', required: true, description: 'The last day.' }),
      formats: t.arg({
        type: [ExportedFormEnum],
        description: 'The formats of each invoice; default `pdf`.',
      }),
      ...environmentArguments,
    },
    resolve: async (_root, { from, to, formats, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const named = valueOrThrow(parseRequest(request, { from, to }));
      const forms =
        formats == null || formats.length === 0 ? PAGES : EXPORTED.filter((one) => formats.includes(one));
      const period = { environmentId, actor: context.caller.keyId, ...named, formats: forms };
      const { timeZone } = await readEnvironmentTime(context.services.db.pool, environmentId);
      const days = { ...period, timeZone };
      const invoices = valueOrThrow(await runSearch(context, () => countExported(context.services, days)));
      const { linkSecrets, config } = context.services;
      const { expires, expiresAt } = expiryOf(clock.now(), DOWNLOAD_LINK_SECONDS);
      const token = exportLinks.sign(linkSecrets.current, { ...period, formats: [...forms], expires });
      return {
        invoices,
        downloadUrl: exportUrl(config.baseUrl, token),
        expiresAt,
      };
    },
  }),
);
