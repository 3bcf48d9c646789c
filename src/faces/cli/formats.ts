import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { invalidField, isRefusal, Refusal } from '../../ground/errors/refusal.ts';
import { structuredDocument } from '../../subjects/formats/registry.ts';
import { FORMAT_NAMES } from '../../subjects/formats/types.ts';
import { locateResource } from '../../subjects/operations/store/read-location.ts';
import { actor, type CliRuntime, queryCommand } from './command.ts';
import { operand, requiredChoice, requiredOption } from './options.ts';
import { withServices } from './with-services.ts';

/** Invoices as structured documents. */
export function structuredDocuments(group: Command, runtime: CliRuntime): void {
  queryCommand(group, runtime, {
    name: 'document',
    description: 'writes an invoice in a structured format to a file',
    details:
      'Writes an invoice in a structured format to a file: the same bytes each time. Where the format cannot say what the invoice says, it tells which term is missing, and writes nothing.',
    parameters: {
      invoice: operand('the id of the invoice'),
      format: requiredChoice(FORMAT_NAMES, 'which format'),
      out: requiredOption('path', 'where the document is written'),
    },
    examples: [['As UBL', 'invoices document $INVOICE --format ubl --out invoice.xml']],
    async run(context, { invoice: invoiceId, format, out }) {
      const place = await locateResource(context.db.pool, invoiceId);
      if (place === null) return new Refusal('invoice_not_found', 'There is no invoice of this id.');
      const { environmentId } = place;
      const document = await withServices(context, (services) =>
        structuredDocument(services, { environmentId, invoiceId, actor: actor() }, format),
      );
      if (isRefusal(document)) return document;
      try {
        writeFileSync(out, document.bytes);
      } catch (error) {
        return invalidField('out', 'not_writable', `cannot be written: ${(error as Error).message}`);
      }
      const { mediaType, bytes } = document;
      return { invoice: invoiceId, format, mediaType, file: out, bytes: bytes.length };
    },
  });
}
