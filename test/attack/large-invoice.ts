import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

/** As many lines as an invoice may have. */
const MAX_LINES = 500;

/** Letters beyond Latin-1 make every text that holds them twice as long in memory. */
const TEXT = 'Servicio € '.repeat(20);

/** An invoice as large as attackers make them. */
export function largeInvoice() {
  const lines = Array.from({ length: MAX_LINES }, (_, index) =>
    aLine({ description: `${index} ${TEXT}`.trim() }),
  );
  return aCompleteInvoice({ line_items: lines });
}
