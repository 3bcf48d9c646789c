import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { invalidField, isRefusal, type Refusal } from '../../ground/errors/refusal.ts';
import { documentOnPaper } from '../../subjects/documents/document-on-paper.ts';
import { PAPERS } from '../../subjects/documents/types.ts';
import { structuredDocument } from '../../subjects/formats/registry.ts';
import { FORMAT_NAMES } from '../../subjects/formats/types.ts';
import type { CliRuntime } from './command.ts';
import { actor, queryCommand } from './database-command.ts';
import { choiceOption, operand, requiredChoice, requiredOption } from './options.ts';
import { locateInvoice } from './targets.ts';
import { withServices } from './with-services.ts';

/** Invoices as structured documents. */
export function structuredDocuments(group: Command, runtime: CliRuntime): void {
  pdf(group, runtime);
  queryCommand(group, runtime, {
    name: 'document',
    description: 'writes an invoice in a structured format to a file',
    details:
      'Writes an invoice in a structured format to a file: the same bytes each time. If the format cannot express the invoice, the missing term is reported and nothing is written.',
    parameters: {
      invoice: operand('the id of the invoice'),
      format: requiredChoice(FORMAT_NAMES, 'which format'),
      out: requiredOption('path', 'the file to write'),
    },
    examples: [['As UBL', 'invoices document $INVOICE --format ubl --out invoice.xml']],
    async run(context, { invoice: invoiceId, format, out }) {
      const location = await locateInvoice(context, invoiceId);
      if (isRefusal(location)) return location;
      const { environmentId } = location;
      const document = await withServices(context, (services) =>
        structuredDocument(services, { environmentId, invoiceId, actor: actor() }, format),
      );
      if (isRefusal(document)) return document;
      const { mediaType, bytes } = document;
      return written(out, bytes) ?? { invoice: invoiceId, format, mediaType, file: out, bytes: bytes.length };
    },
  });
}

function pdf(group: Command, runtime: CliRuntime): void {
  queryCommand(group, runtime, {
    name: 'pdf',
    description: 'writes the PDF of an invoice to a file',
    details:
      'Writes the PDF of an invoice to a file: on A4, which is its document, or for receipt printers with rolls of 80 mm, with the same content.',
    parameters: {
      invoice: operand('the id of the invoice'),
      paper: choiceOption(PAPERS, 'the paper; a4 by default'),
      out: requiredOption('path', 'the file to write'),
    },
    examples: [['For a receipt printer', 'invoices pdf $INVOICE --paper roll --out ticket.pdf']],
    async run(context, { invoice: invoiceId, paper = 'a4', out }) {
      const location = await locateInvoice(context, invoiceId);
      if (isRefusal(location)) return location;
      const file = await withServices(context, (services) =>
        documentOnPaper(services, location.environmentId, invoiceId, paper),
      );
      if (isRefusal(file)) return file;
      const { number, bytes } = file;
      return written(out, bytes) ?? { invoice: invoiceId, number, paper, file: out, bytes: bytes.length };
    },
  });
}

/** Null once it is there. */
function written(out: string, bytes: Buffer): Refusal | null {
  try {
    writeFileSync(out, bytes);
    return null;
  } catch (error) {
    return invalidField('out', 'not_writable', `cannot be written: ${(error as Error).message}`);
  }
}
