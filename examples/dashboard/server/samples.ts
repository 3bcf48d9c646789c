import { setTimeout as pause } from 'node:timers/promises';
import type { VariablesOf } from 'gql.tada';
import { IssueInvoice, RecordPayment } from '../src/documents.ts';
import { CreateDraft, CreateSchedule } from '../src/documents-drafts.ts';
import { ExchangeTicket, ReturnOnExchange } from '../src/documents-exchanges.ts';
import { graphql } from '../src/graphql.ts';
import { execute, type Lacre } from './lacre.ts';

type Input = VariablesOf<typeof IssueInvoice>['input'];
type Line = Input['lineItems'][number];

const MONTHS = 12;

const customers = [
  ['C-1', 'García López Ana', '12345678Z', 'Gran Vía 1', '28013', 'Madrid', 'ana@example.com'],
  [
    'C-2',
    'Ruiz Soler Marta',
    '87654321X',
    'Carrer de Mallorca 20',
    '08029',
    'Barcelona',
    'marta@example.com',
  ],
  ['C-3', 'Papelería Norte SA', 'A39200019', 'Calle Burgos 7', '39008', 'Santander', 'norte@example.com'],
  [
    'C-4',
    'Talleres Ribera SL',
    'B12345674',
    'Avenida del Puerto 3',
    '46021',
    'Valencia',
    'ribera@example.com',
  ],
] as const;

const line = (description: string, quantity: number, unitAmount: number, rate: number): Line => ({
  ...{ description, quantity, unitAmount },
  taxItems: [{ type: 'vat', rate }],
});

/** What is sold, so that a month has each rate. */
const goods = [
  (count: number) => line('Silla de oficina', count, 18_900, 21),
  (count: number) => line('Menú del día', count * 4, 1_318, 10),
  (count: number) => line('Libro de cocina', count * 2, 2_400, 4),
  (count: number) => line('Montaje a domicilio', count, 9_500, 21),
  (count: number): Line => ({
    ...line('Curso de encuadernación', count, 12_000, 0),
    taxItems: [{ type: 'es_exempt' }],
  }),
] as const;

function recipientOf(index: number): Pick<Input, 'recipient' | 'externalCustomerId'> {
  const [id, name, taxId, line1, postalCode, city, email] = customers[index % customers.length]!;
  const address = { line1, postalCode, city, country: 'ES' };
  return { externalCustomerId: id, recipient: { name, taxId, taxIdType: 'es_nif', email, address } };
}

const TestTime = graphql(`
  query TestTime {
    testClock {
      id
      now
      status
    }
  }
`);
const NextMonth = graphql(`
  mutation NextMonth {
    advanceTestClock(advance: "P1M") {
      id
    }
  }
`);

/**
 * A year of a small shop, in the test environment's own time, which a test clock advances: complete invoices and tickets at each rate, one with
 * the equivalence surcharge, one with IRPF withheld, one with a disbursement, a correction, a ticket that was
 * exchanged and returned in part, payments, a draft and a schedule.
 */
export async function issueYear(lacre: Lacre): Promise<void> {
  for (let month = 1; month <= MONTHS; month += 1) {
    if (month > 1) await advanceMonth(lacre);
    await issueMonth(lacre, month, (await timeOf(lacre)).now.slice(0, 10));
  }
  const content = { type: 'complete' as const, ...recipientOf(1), lineItems: [goods[3](2)] };
  await execute(lacre, CreateDraft, { input: { invoice: content } });
  const startsOn = addDays((await timeOf(lacre)).now.slice(0, 10), 3);
  const monthly = {
    ...content,
    ...recipientOf(2),
    lineItems: [line('Mantenimiento mensual', 1, 15_000, 21)],
  };
  await execute(lacre, CreateSchedule, { input: { invoice: monthly, frequency: 'monthly', startsOn } });
}

async function timeOf(lacre: Lacre): Promise<{ now: string; status: string }> {
  const { testClock } = await execute(lacre, TestTime, {});
  if (testClock === null) throw new Error('the environment has no test clock');
  return testClock;
}

async function advanceMonth(lacre: Lacre): Promise<void> {
  await execute(lacre, NextMonth, {});
  while ((await timeOf(lacre)).status === 'advancing') await pause(200);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Some invoices of a month, of which the older ones are paid. */
async function issueMonth(lacre: Lacre, month: number, today: string): Promise<void> {
  const issue = async (sale: number, parts: Partial<Input>) => {
    const key = { idempotencyKey: `sample-${month}-${sale}` };
    const lineItems = [goods[(sale + month) % goods.length]!(1 + ((sale * month) % 3))];
    const input: Input = { type: 'complete', lineItems, ...parts };
    const { issueInvoice } = await execute(lacre, IssueInvoice, { input, ...key });
    if (issueInvoice === null) throw new Error('Lacre issued nothing');
    return issueInvoice.id;
  };
  const dueDate = addDays(today, 30);
  for (let sale = 1; sale <= 3; sale += 1) {
    const id = await issue(sale, {
      ...{ ...recipientOf(sale + month), dueDate, payment: { means: 'transfer' } },
      ...(sale === 1 && month % 3 === 0 ? { withholding: { rate: 15 }, lineItems: [goods[3](3)] } : {}),
      ...(sale === 2 && month % 4 === 0
        ? { recargoEquivalencia: true, lineItems: [goods[0](2), goods[2](5)] }
        : {}),
      ...(sale === 3 && month % 5 === 0
        ? { disbursements: [{ description: 'Tasa del registro', amount: 2_430, reference: `T-${month}` }] }
        : {}),
    });
    if (month < MONTHS - 1 && sale < 3) await pay(lacre, id, today);
    if (sale === 1 && month === 6) {
      const rectifies = { invoiceId: id, method: 'differences', reason: 'correction' } as const;
      await issue(9, { rectifies, lineItems: [line('Devolución de una hora', 1, -4_000, 21)] });
    }
  }
  for (let sale = 4; sale <= 6; sale += 1) {
    const id = await issue(sale, { type: 'simplified' });
    if (sale === 4 && month === MONTHS - 1) await exchange(lacre, id);
  }
}

/** The customer of a ticket wants a complete invoice, and then brings something back. */
async function exchange(lacre: Lacre, ticketId: string): Promise<void> {
  const { recipient } = recipientOf(3);
  const wanted = { ticketIds: [ticketId], recipient: recipient! };
  const { exchangeInvoices } = await execute(lacre, ExchangeTicket, {
    ...{ input: wanted, idempotencyKey: `exchanged-${ticketId}` },
  });
  const returned = {
    exchangeInvoiceId: exchangeInvoices!.id,
    lineItems: [line('Silla de oficina, devuelta', 1, -18_900, 21)],
    reason: 'El cliente ha devuelto una silla',
  };
  await execute(lacre, ReturnOnExchange, {
    ...{ input: returned, idempotencyKey: `returned-${ticketId}` },
  });
}

const AmountDue = graphql(`
  query AmountDue($id: ID!) {
    invoice(id: $id) {
      id
      amountDue
    }
  }
`);

async function pay(lacre: Lacre, invoiceId: string, paidOn: string): Promise<void> {
  const { invoice } = await execute(lacre, AmountDue, { id: invoiceId });
  const amount = invoice?.amountDue ?? 0;
  if (amount <= 0) return;
  const input = { invoiceId, amount, paidOn, means: 'transfer' as const };
  await execute(lacre, RecordPayment, { input, idempotencyKey: `paid-${invoiceId}` });
}
