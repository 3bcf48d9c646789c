import { randomUUID } from 'node:crypto';
import type { EventType, InvoiceRequest, LacreEvent } from '@lacre/client';
import type { Command } from 'commander';
import { EVENT_TYPES } from '../../../ground/journal/entry.ts';
import { madridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import { choiceOperand, optionalOption } from '../options.ts';
import { askGraphql } from './graphql.ts';
import { forward } from './listen.ts';
import { PROFILE } from './login.ts';
import { type Remote, remoteOf } from './profiles.ts';
import { sampleEvent } from './sample-event.ts';

/** What makes the event in a test environment; answers what was done. */
type Deed = (remote: Remote) => Promise<string>;

const TICKET: InvoiceRequest = {
  type: 'simplified',
  line_items: [
    { description: 'Café', quantity: 1, unit_amount: 150, tax_items: [{ type: 'vat', rate: 10 }] },
  ],
};

const VOID = 'mutation ($id: ID!) { voidInvoice(invoiceId: $id, reason: "lacre trigger") { id } }';

const issue: Deed = async ({ client }) => `issued ${(await client.invoices.create(TICKET)).id}`;

const render: Deed = async ({ client }) => {
  const { id } = await client.invoices.create(TICKET);
  await (await client.invoices.pdf(id)).cancel();
  return `issued ${id} and got its PDF`;
};

const makeVoid: Deed = async ({ client, profile }) => {
  const { id } = await client.invoices.create(TICKET);
  await askGraphql(profile, VOID, { id });
  return `issued ${id} and voided it`;
};

const SALE: InvoiceRequest = {
  type: 'complete',
  recipient: {
    ...{ name: 'Ana García López', tax_id: '12345678Z' },
    address: { line1: 'Calle Mayor 1', city: 'Madrid', postal_code: '28013', country: 'ES' },
  },
  line_items: TICKET.line_items,
};

type Said = Parameters<Remote['client']['invoices']['recordRecipientStatus']>[1]['status'];

/** What the recipient of an invoice says, one after the other. */
function say(...statuses: readonly Said[]): Deed {
  return async ({ client }) => {
    const { id, invoice_date: at } = await client.invoices.create(SALE);
    const on = madridDay(new Date(at));
    for (const status of statuses) {
      const reason = status === 'paid' ? {} : { status_reason: 'lacre trigger' };
      await client.invoices.recordRecipientStatus(id, { status, on, ...reason });
    }
    return `issued ${id} and recorded ${statuses.join(', then ')} of its recipient`;
  };
}

const openSeries: Deed = async ({ client }) => {
  const prefix = `T${randomUUID().slice(0, 8)}`;
  return `created the series ${(await client.numberSeries.create({ prefix, type: 'standard' })).id}`;
};

const dropSeries: Deed = async ({ client }) => {
  const prefix = `T${randomUUID().slice(0, 8)}`;
  const { id } = await client.numberSeries.create({ prefix, type: 'standard' });
  await client.numberSeries.delete(id);
  return `created the series ${id} and deleted it`;
};

const pay = async ({ client }: Remote) => {
  const { id, total } = await client.invoices.create(TICKET);
  const payment = await client.invoices.recordPayment(id, { amount: total, paid_on: madridDay(clock.now()) });
  return { id, payment };
};

const payWhole: Deed = async (remote) => {
  const { id, payment } = await pay(remote);
  return `issued ${id} and recorded ${payment.id}`;
};

const removePayment: Deed = async (remote) => {
  const { id, payment } = await pay(remote);
  await remote.client.invoices.removePayment(id, payment.id);
  return `issued ${id}, recorded ${payment.id} and removed it`;
};

/** In a test environment what is issued is registered at once. Of the other types nothing happens there. */
const DEEDS: Readonly<Partial<Record<EventType, Deed>>> = {
  'invoice.issued': issue,
  'invoice.registered': issue,
  'invoice.document_ready': render,
  'invoice.voided': makeVoid,
  'invoice.payment_recorded': payWhole,
  'invoice.paid': payWhole,
  'invoice.payment_removed': removePayment,
  'invoice.recipient_paid': say('paid'),
  'invoice.recipient_rejected': say('rejected'),
  'invoice.recipient_status_withdrawn': say('rejected', 'withdrawn'),
  'number_series.created': openSeries,
  'number_series.deleted': dropSeries,
};

export function trigger(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'trigger',
    description: 'makes an event happen in a test environment',
    details:
      'Makes an event happen in the test environment of a login, by doing what leads to it: issuing, voiding, paying, creating a series. What does not happen in a test environment, such as a rejection, which only the agency pronounces, is made up and posted to where the login last listened or to --forward-to, signed as "lacre listen" signs; it is no event of the journal, and its sequence is 0.',
    parameters: {
      type: choiceOperand(EVENT_TYPES, 'the type of the event'),
      ...PROFILE,
      forwardTo: optionalOption(
        'url',
        'where an event that is made up is posted to; where "lacre listen" forwarded to without it',
      ),
    },
    examples: [
      ['One that happens', 'trigger invoice.voided'],
      ['One that is made up', 'trigger invoice.rejected --forward-to $RECEIVER'],
    ],
    async run({ profiles }, { type, profile, forwardTo }) {
      const remote = remoteOf(profiles, profile);
      if (remote.profile.environment !== 'test')
        return new CommandFailure('usage', 'events are triggered in test environments alone');
      const deed = DEEDS[type];
      if (deed !== undefined) return { type, done: await deed(remote) };
      const { listen_to, listen_secret } = remote.profile;
      const to = forwardTo ?? listen_to;
      if (to === undefined) {
        const why = `nothing makes ${type} in a test environment: it is made up and posted to where "lacre listen" forwards, or to --forward-to`;
        return new CommandFailure('usage', why);
      }
      const event: LacreEvent = await sampleEvent(type, remote.client, TICKET);
      return { type, done: 'made up', answer: await forward(to, listen_secret, event) };
    },
  });
}
