import { isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { openWithAny } from '../../../ground/lib/keyring.ts';
import { hasInvoice } from '../../../subjects/documents/document.ts';
import { documentOnPaper, fileName } from '../../../subjects/documents/document-on-paper.ts';
import {
  DOWNLOAD_LINK_SECONDS,
  downloadUrl,
  signDownload,
  verifyDownload,
} from '../../../subjects/documents/links.ts';
import type { Paper } from '../../../subjects/documents/types.ts';
import { builder } from '../builder.ts';
import { refusalOfLarge } from '../charged-rows.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
import { DocumentPaperEnum } from './enums.ts';

const InvoiceDownload = builder
  .objectRef<{ downloadUrl: string; expiresAt: Date }>('InvoiceDownload')
  .implement({
    fields: (t) => ({
      downloadUrl: t.exposeString('downloadUrl'),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    }),
  });

type InvoiceFileBytes = {
  readonly filename: string;
  readonly bytes: Buffer;
  readonly environmentId: number;
};

const ON_PAPER = 'The paper: `a4`, or `roll` for a receipt printer.';

const InvoiceFile = builder.objectRef<InvoiceFileBytes>('InvoiceFile').implement({
  fields: (t) => ({
    filename: t.exposeString('filename'),
    content: t.string({
      description: 'The PDF in base64.',
      resolve: base64Of,
    }),
  }),
});

/** However many names a query gives it, the text of a file is one. */
const texts = new WeakMap<InvoiceFileBytes, string>();

function base64Of(file: InvoiceFileBytes): string {
  const text = texts.get(file) ?? file.bytes.toString('base64');
  texts.set(file, text);
  return text;
}

function unknownInvoice(): Refusal {
  return new Refusal('invoice_not_found', 'No invoice of this id exists.');
}

builder.queryField('invoiceDownload', (t) =>
  t.withAuth({ scope: 'read' }).field({
    type: InvoiceDownload,
    description:
      'A link to the PDF, valid for 15 minutes; `invoice_not_found` if the invoice does not exist.',
    args: {
      id: t.arg.id({ required: true }),
      paper: t.arg({ type: DocumentPaperEnum, defaultValue: 'a4', description: ON_PAPER }),
    },
    resolve: async (_root, { id, paper }, context) => {
      const { environmentId } = context.caller;
      if (!(await hasInvoice(context.services.db, id, environmentId))) valueOrThrow(unknownInvoice());
      const { linkSecrets, config } = context.services;
      const expiresAt = new Date(Math.floor(clock.now().getTime() / 1_000 + DOWNLOAD_LINK_SECONDS) * 1_000);
      const token = signDownload({ secret: linkSecrets.current, environmentId, invoiceId: id, expiresAt });
      return { downloadUrl: downloadUrl(config.baseUrl, id, token, paper ?? 'a4'), expiresAt };
    },
  }),
);

builder.queryField('invoiceFile', (t) =>
  t.withAuth({ everybody: true }).field({
    type: InvoiceFile,
    description: 'The content of the PDF, for the holder of a signed link.',
    args: {
      id: t.arg.id({ required: true }),
      token: t.arg.string({ required: true }),
      paper: t.arg({ type: DocumentPaperEnum, defaultValue: 'a4', description: ON_PAPER }),
    },
    resolve: async (_root, { id, token, paper }, context) =>
      valueOrThrow(await fileOf(context, { id, token, paper: paper ?? 'a4' })),
  }),
);

/** The PDF of an invoice, read or rendered within the shares of its environment. Refuses as `documentOnPaper` does. */
export function fileInTurn(
  { services }: Context,
  environmentId: number,
  id: string,
  paper: Paper,
): ReturnType<typeof documentOnPaper> {
  return documentOnPaper(services, environmentId, id, paper, {
    beforeRendering: (lines) => services.shares.take(environmentId, 'rendering', 1 + Math.floor(lines / 10)),
    beforeReading: () => refusalOfLarge(services.unread),
  });
}

/** An unknown invoice is `invoice_not_found`, a link that is over or not ours `download_link_expired`. */
export async function fileOf(
  context: Context,
  { id, token, paper }: { readonly id: string; readonly token: string; readonly paper: Paper },
): Promise<Outcome<InvoiceFileBytes>> {
  const now = clock.now();
  const claims = openWithAny(context.services.linkSecrets, (secret) =>
    verifyDownload(secret, id, token, now),
  );
  if (typeof claims === 'object') {
    const file = await fileInTurn(context, claims.environmentId, id, paper);
    if (isRefusal(file)) return file;
    return {
      filename: fileName(file.number, paper),
      bytes: file.bytes,
      environmentId: claims.environmentId,
    };
  }
  if (!(await hasInvoice(context.services.db, id))) return unknownInvoice();
  const detail = claims === 'expired' ? 'has expired' : 'was altered';
  return new Refusal('download_link_expired', `The link ${detail}.`);
}
