import type { InvoiceFilter, InvoiceRequest, LacreClient } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import {
  choiceOption,
  dayOption,
  flagOption,
  integerOption,
  optionalOption,
  type Values,
} from '../options.ts';
import { progress } from '../progress.ts';
import { sendBatch } from './batches.ts';
import { PROFILE } from './login.ts';
import { invoiceRow } from './printed.ts';
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
      return wait ? invoices.untilSettled(issued.id) : issued;
    },
  });
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
    invoices.push(invoiceRow(invoice));
  }
  return { invoices, hasMore: false };
}
