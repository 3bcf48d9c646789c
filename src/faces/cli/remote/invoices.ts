import type { Invoice, InvoiceFilter, InvoiceRequest, LacreClient } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import {
  choiceOption,
  dayOption,
  flagOption,
  integerOption,
  operand,
  optionalOption,
  type Values,
} from '../options.ts';
import { progress } from '../progress.ts';
import { sendBatch } from './batches.ts';
import { PROFILE } from './login.ts';
import { type Remote, remoteOf } from './profiles.ts';
import { FILE, liveConfirmationMissing, readRequestFile } from './request-file.ts';

/** Where a program reads what comes of it. */
const HIDDEN = { show: () => {}, end: () => {} };

/** Commands of `lacre invoices` that work over REST. */
export function remoteInvoices(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'create',
    description: 'issues an invoice over REST, from a file with the request',
    details:
      'Issues an invoice over REST, as POST /v1/invoices does, with the key of a login ("lacre login"). With the key of a live environment --live is required. The same file under the same --idempotency-key is issued once. With --batch it issues every line of a file in order, and reports refused ones by line; repeating the same file issues nothing twice.',
    parameters: {
      ...PROFILE,
      file: FILE,
      batch: optionalOption('path', 'many requests, one JSON value per line, each with an external_id'),
      idempotencyKey: optionalOption('key', 'a new one for each invoice'),
      wait: flagOption('wait for the result of the tax agency'),
      live: flagOption('confirms a live environment'),
    },
    examples: [
      ['A ticket', 'invoices create -f ticket.json'],
      ['From another program, as JSON', 'invoices create -f - --json < ticket.json'],
    ],
    async run(context, { profile, file, batch, idempotencyKey, wait, live }) {
      const remote = remoteOf(context.profiles, profile);
      if ((file === undefined) === (batch === undefined))
        return new CommandFailure('usage', 'use either --file or --batch');
      if (batch !== undefined) {
        if (idempotencyKey !== undefined || wait)
          return new CommandFailure('usage', '--batch cannot be combined with --idempotency-key or --wait');
        if (!live && remote.profile.environment === 'live')
          return liveConfirmationMissing(remote, 'issue invoices');
        return sendBatch(remote.client, batch, context.json ? HIDDEN : progress(context, 'invoices'));
      }
      const body = await readRequestFile<InvoiceRequest>(context, file!);
      if (isRefusal(body)) return body;
      if (!live && remote.profile.environment === 'live')
        return liveConfirmationMissing(remote, 'issue an invoice');
      const { invoices } = remote.client;
      const issued = await invoices.create(body, { idempotencyKey });
      return shown(wait ? await invoices.untilSettled(issued.id) : issued);
    },
  });
  standaloneCommand(group, runtime, {
    name: 'get',
    description: 'reads an invoice over REST',
    parameters: { ...PROFILE, invoice: operand('the id of the invoice') },
    examples: [['As JSON', 'invoices get $INVOICE --json']],
    async run({ profiles }, { profile, invoice }) {
      return shown(await remoteOf(profiles, profile).client.invoices.retrieve(invoice));
    },
  });
  standaloneCommand(group, runtime, {
    name: 'send',
    description: 'sends an invoice by e-mail, over REST',
    details:
      'Sends an invoice with its PDF by e-mail, as POST /v1/invoices/{id}/send does: to the address on it unless --to names others. With the key of a live environment --live is required.',
    parameters: {
      ...PROFILE,
      invoice: operand('the id of the invoice'),
      to: optionalOption('addresses', 'other addresses, separated by commas'),
      message: optionalOption('text', 'your own text'),
      idempotencyKey: optionalOption('key', 'a new one for each message'),
      live: flagOption('confirms a live environment'),
    },
    examples: [['To somebody else', 'invoices send $INVOICE --to ana@example.com']],
    async run({ profiles }, { profile, invoice, to, message, idempotencyKey, live }) {
      const remote = remoteOf(profiles, profile);
      if (!live && remote.profile.environment === 'live')
        return liveConfirmationMissing(remote, 'send an invoice');
      const body = { ...(to && { to: to.split(',') }), ...(message && { message }) };
      return remote.client.invoices.send(invoice, body, { idempotencyKey });
    },
  });
}

/** The facts first, its lines below. */
function shown({ line_items: lines, ...facts }: Invoice): object {
  return { ...facts, line_items: lines };
}

/** The options of `invoices list`. */
export const LISTING = {
  ...PROFILE,
  from: dayOption('issued on this day or later'),
  to: dayOption('issued on this day or earlier'),
  number: optionalOption('number', 'with exactly this number, ignoring case'),
  email: optionalOption('address', 'of this recipient, ignoring case'),
  customer: optionalOption('id', 'of this customer, by the integration’s own id'),
  status: choiceOption(['issued', 'voided'], 'issued or voided'),
  registration: choiceOption(
    ['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped'],
    'its registration status',
  ),
  type: choiceOption(['complete', 'simplified'], 'complete or simplified'),
  limit: integerOption('the maximum number', { max: 1_000, standard: 50 }),
};

/** The same of the invoices that a key sees. */
export function remoteList(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'list',
    description: 'lists the invoices of an environment, newest first',
    parameters: LISTING,
    examples: [['The latest', 'invoices list --status issued --limit 10']],
    run: async ({ profiles }, { profile, ...values }) => listRemotely(remoteOf(profiles, profile), values),
  });
}

/** The invoices that a key sees. */
export async function listRemotely(
  remote: Remote,
  values: Omit<Values<typeof LISTING>, 'profile'>,
): Promise<object> {
  const { number, email, customer, from, to, status, registration, type } = values;
  return searchInvoices(remote.client, values.limit, {
    ...(number && { number }),
    ...(email && { email }),
    ...(customer && { external_customer_id: customer }),
    ...(from && { issued_from: from }),
    ...(to && { issued_to: to }),
    ...(status && { status: [status] }),
    ...(registration && { verifactu_status: [registration] }),
    ...(type && { type: [type] }),
  });
}

/** So many invoices of a filter, in short, and whether there are more. */
export async function searchInvoices(
  client: LacreClient,
  max: number,
  filter: InvoiceFilter,
): Promise<object> {
  const invoices: object[] = [];
  for await (const invoice of client.invoices.list({ ...filter, limit: Math.min(100, max) })) {
    if (invoices.length === max) return { invoices, hasMore: true };
    const { id, number, type, kind, status, verifactu, invoice_date: issuedAt, total, currency } = invoice;
    const registration = verifactu?.status ?? null;
    invoices.push({ id, number, type, kind, status, registration, issuedAt, total, currency });
  }
  return { invoices, hasMore: false };
}
