import { randomUUID } from 'node:crypto';
import type { EventType, Invoice, InvoiceRequest, LacreEvent } from '@lacre/client';
import type { Command } from 'commander';
import { EVENT_TYPES } from '../../../ground/journal/entry.ts';
import { madridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import { choiceOperand, optionalOption } from '../options.ts';
import { queryGraphql } from './graphql.ts';
import { forward } from './listen.ts';
import { PROFILE } from './login.ts';
import { type Remote, remoteOf } from './profiles.ts';
import { sampleEvent } from './sample-event.ts';

/** An operation that causes an event; returns a description of it. */
type Action = (remote: Remote) => Promise<string>;

const TICKET: InvoiceRequest = {
  type: 'simplified',
  line_items: [
    { description: 'Café', quantity: 1, unit_amount: 150, tax_items: [{ type: 'vat', rate: 10 }] },
  ],
};

const VOID = 'mutation ($id: ID!) { voidInvoice(invoiceId: $id, reason: "lacre trigger") { id } }';

/** The text in a description by which the simulator rejects or flags a record (docs/guides/test-triggers.md). */
const MARKS = { rejected: 'SIMULATE-REJECT', flagged: 'SIMULATE-FLAG' };

/** How long a simulator may take to answer: it does within seconds, unless it is set to hang. */
const SIMULATOR_MS = 60_000;

const issue: Action = async ({ client }) => `issued ${(await client.invoices.create(TICKET)).id}`;

const render: Action = async ({ client }) => {
  const { id } = await client.invoices.create(TICKET);
  await (await client.invoices.pdf(id)).cancel();
  return `issued ${id} and got its PDF`;
};

const makeVoid: Action = async ({ client, profile }) => {
  const { id } = await client.invoices.create(TICKET);
  await queryGraphql(profile, VOID, { id });
  return `issued ${id} and voided it`;
};

const SALE: InvoiceRequest = {
  type: 'complete',
  recipient: {
    ...{ name: 'García López Ana', tax_id: '12345678Z' },
    address: { line1: 'Calle Mayor 1', city: 'Madrid', postal_code: '28013', country: 'ES' },
  },
  line_items: TICKET.line_items,
};

type ReportedStatus = Parameters<Remote['client']['invoices']['recordRecipientStatus']>[1]['status'];

/** Records statuses reported by the recipient of an invoice, in this order. */
function reportStatuses(...statuses: readonly ReportedStatus[]): Action {
  return async ({ client }) => {
    const { id, invoice_date: at } = await client.invoices.create(SALE);
    const on = madridDay(new Date(at));
    for (const status of statuses) {
      const reason = status === 'paid' ? {} : { status_reason: 'lacre trigger' };
      await client.invoices.recordRecipientStatus(id, { status, on, ...reason });
    }
    return `issued ${id} and recorded ${statuses.join(', then ')} by its recipient`;
  };
}

const openSeries: Action = async ({ client }) => {
  const prefix = `T${randomUUID().slice(0, 8)}`;
  return `created the series ${(await client.numberSeries.create({ prefix, type: 'standard' })).id}`;
};

const dropSeries: Action = async ({ client }) => {
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

const payWhole: Action = async (remote) => {
  const { id, payment } = await pay(remote);
  return `issued ${id} and recorded ${payment.id}`;
};

const removePayment: Action = async (remote) => {
  const { id, payment } = await pay(remote);
  await remote.client.invoices.removePayment(id, payment.id);
  return `issued ${id}, recorded ${payment.id} and removed it`;
};

/** Issues an invoice in a live environment, and waits for the simulator to register it. */
function register(mark: string = ''): (remote: Remote) => Promise<Invoice> {
  const [line] = TICKET.line_items;
  const body = { ...TICKET, line_items: [{ ...line!, description: `Café ${mark}`.trim() }] };
  return async ({ client }) => {
    const { id } = await client.invoices.create(body);
    return client.invoices.untilSettled(id, { signal: AbortSignal.timeout(SIMULATOR_MS) });
  };
}

function issueAndAwait(mark?: string): Action {
  return async (remote) => {
    const { id, verifactu } = await register(mark)(remote);
    return `issued ${id}, which the simulator answered with ${verifactu?.status}`;
  };
}

const AMEND =
  'mutation ($id: ID!) { amendRecord(input: { invoiceId: $id, description: "Café", reason: "lacre trigger" }) { id } }';

const amend: Action = async (remote) => {
  const { id } = await register(MARKS.flagged)(remote);
  await queryGraphql(remote.profile, AMEND, { id });
  return `issued ${id}, which the simulator flagged, and amended it`;
};

/** In a test environment an issued invoice is registered at once. Events of the other types do not occur there. */
const ACTIONS: Readonly<Partial<Record<EventType, Action>>> = {
  'invoice.issued': issue,
  'invoice.registered': issue,
  'invoice.document_ready': render,
  'invoice.voided': makeVoid,
  'invoice.payment_recorded': payWhole,
  'invoice.paid': payWhole,
  'invoice.payment_removed': removePayment,
  'invoice.recipient_paid': reportStatuses('paid'),
  'invoice.recipient_rejected': reportStatuses('rejected'),
  'invoice.recipient_status_withdrawn': reportStatuses('rejected', 'withdrawn'),
  'number_series.created': openSeries,
  'number_series.deleted': dropSeries,
};

/** In a live environment whose records go to a simulator, it decides how an invoice is registered. */
const SIMULATED: typeof ACTIONS = {
  ...ACTIONS,
  'invoice.registered': issueAndAwait(),
  'invoice.registered_with_errors': issueAndAwait(MARKS.flagged),
  'invoice.rejected': issueAndAwait(MARKS.rejected),
  'invoice.amended': amend,
};

/** The operations that may be carried out in the environment of a login: null if what is issued there is real. */
async function actionsIn({ profile }: Remote): Promise<typeof ACTIONS | null> {
  if (profile.environment === 'test') return ACTIONS;
  const { viewer } = await queryGraphql<{ viewer: { agencyEndpoint: string | null } }>(
    profile,
    '{ viewer { agencyEndpoint } }',
  );
  return viewer.agencyEndpoint === 'simulator' ? SIMULATED : null;
}

export function trigger(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'trigger',
    description: 'triggers an event where nothing is registered with the tax agency',
    details:
      'Triggers an event in the environment of a login by an operation that causes it: issuing, voiding, paying, creating a series. The environment is a test environment, or a live one whose records go to the simulator, as in the demo: only there an invoice can be rejected, flagged or amended, since those of test environments are registered at once and sent nowhere. For an event that does not occur in the environment a sample event is posted to the URL to which the login last listened or to --forward-to, with the same signature as by "lacre listen"; it is not in the journal, and its sequence is 0.',
    parameters: {
      type: choiceOperand(EVENT_TYPES, 'the type of the event'),
      ...PROFILE,
      forwardTo: optionalOption(
        'url',
        'the URL that receives a sample event; by default the last one of "lacre listen"',
      ),
    },
    examples: [
      ['A real event', 'trigger invoice.voided'],
      ['A sample event', 'trigger invoice.rejected --forward-to $RECEIVER'],
    ],
    async run({ profiles }, { type, profile, forwardTo }) {
      const remote = remoteOf(profiles, profile);
      const actions = await actionsIn(remote);
      if (actions === null)
        return new CommandFailure('usage', 'invoices of this environment are registered with the tax agency');
      const action = actions[type];
      if (action !== undefined) return { type, done: await action(remote) };
      const { listen_to, listen_secret } = remote.profile;
      const to = forwardTo ?? listen_to;
      if (to === undefined) {
        const message = `${type} does not occur in this environment: a sample event needs --forward-to, or an earlier "lacre listen"`;
        return new CommandFailure('usage', message);
      }
      const event: LacreEvent = await sampleEvent(type, remote, TICKET);
      return { type, done: 'sample event posted', answer: await forward(to, listen_secret, event) };
    },
  });
}
