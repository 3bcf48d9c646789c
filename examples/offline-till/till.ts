import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { type Invoice, type InvoiceRequest, LacreClient, LacreError } from '@lacre/client';

type Lines = InvoiceRequest['line_items'];
type Sale = { readonly externalId: string; readonly day: string; readonly lines: Lines };
/** What the till's file holds, one a line. */
type Entry = { readonly sold: Sale } | { readonly invoiced: string; readonly number: string };

const MADRID_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' });

/**
 * A till that sells whether or not it reaches the service. Each sale is written down with an id of its own before
 * anything else; the id goes along as `external_id`, which is unique for ever: however often a sale is sent, after
 * whatever crash, it becomes one invoice.
 */
export class Till {
  readonly #client: LacreClient;
  readonly #file: string;

  constructor(client: LacreClient, file: string) {
    this.#client = client;
    this.#file = file;
  }

  /** Writes a sale down. It is invoiced by the next `catchUp`. */
  sell(lines: Lines): string {
    const externalId = `till-${randomUUID()}`;
    this.#write({ sold: { externalId, day: MADRID_DAY.format(new Date()), lines } });
    return externalId;
  }

  /** Invoices what has been sold, in its order, as far as the service is reached. Returns how many still wait. */
  async catchUp(): Promise<number> {
    const waiting = this.#waiting();
    for (const [index, sale] of waiting.entries()) {
      try {
        const { number } = await this.#invoice(sale);
        this.#write({ invoiced: sale.externalId, number });
      } catch (error) {
        // Not reached, or busy: later. Anything else is a sale that cannot be invoiced as it is, for somebody to look at.
        if (error instanceof LacreError && (error.code === 'no_answer' || error.status >= 500))
          return waiting.length - index;
        throw error;
      }
    }
    return 0;
  }

  async #invoice({ externalId, day, lines }: Sale): Promise<Invoice> {
    const today = day === MADRID_DAY.format(new Date());
    try {
      return await this.#client.invoices.create(
        {
          type: 'simplified',
          external_id: externalId,
          line_items: lines,
          // Invoices are issued now; what was sold on another day says so.
          ...(today ? {} : { operation_date: day }),
        },
        { idempotencyKey: externalId },
      );
    } catch (error) {
      if (!(error instanceof LacreError) || error.code !== 'external_id_already_used') throw error;
      // It was invoiced before the till could write that down.
      const { data } = await this.#client.invoices.list({ external_id: [externalId] }).first();
      if (data[0] === undefined) throw error;
      return data[0];
    }
  }

  #waiting(): Sale[] {
    const waiting = new Map<string, Sale>();
    for (const entry of this.#entries()) {
      if ('sold' in entry) waiting.set(entry.sold.externalId, entry.sold);
      else waiting.delete(entry.invoiced);
    }
    return [...waiting.values()];
  }

  #entries(): Entry[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry);
  }

  #write(entry: Entry): void {
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`, { flush: true });
  }
}

if (import.meta.main) {
  const { LACRE_URL: baseUrl, LACRE_KEY: key } = process.env;
  if (baseUrl === undefined || key === undefined) throw new Error('LACRE_URL or LACRE_KEY is not set');
  const till = new Till(new LacreClient({ baseUrl, key, maxRetries: 0 }), 'sales.jsonl');
  till.sell([{ description: 'Café', quantity: 1, unit_amount: 150, tax_items: [{ type: 'vat', rate: 10 }] }]);
  console.log(`${await till.catchUp()} sales wait to be invoiced`);
}
