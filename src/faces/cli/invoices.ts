import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { endOfDay, startOfDay } from '../../ground/lib/calendar.ts';
import { readEnvironmentTime } from '../../subjects/accounts/entry/environment-time.ts';
import { readInvoiceRecords } from '../../subjects/chain/store/read-invoice-records.ts';
import { listInvoices } from '../../subjects/invoices/list.ts';
import { createInvoiceReader } from '../../subjects/invoices/reader.ts';
import { decisiveRecord, type InvoiceView, linesOf } from '../../subjects/invoices/view.ts';
import { amendRecord } from '../../subjects/rectifying/amend-record.ts';
import { amendmentRequest } from '../../subjects/rectifying/amended-content.ts';
import { environmentOfExchange, exchangeInvoices } from '../../subjects/rectifying/exchange.ts';
import { exchangeRequest } from '../../subjects/rectifying/exchange-request.ts';
import { voidInvoice } from '../../subjects/rectifying/void-invoice.ts';
import { voidRequest } from '../../subjects/rectifying/void-request.ts';
import { skipRecord, skipRequest } from '../../subjects/registration/skip-record.ts';
import { type CliRuntime, type CommandContext, commandGroup, standaloneCommand } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { CommandFailure } from './exit-status.ts';
import { exportedDocuments } from './exporting.ts';
import { structuredDocuments } from './formats.ts';
import { flagOption, operand, operands, optionalOption, requiredOption } from './options.ts';
import { contractCommands } from './remote/contract.ts';
import { LISTING, listRemotely, remoteInvoices } from './remote/invoices.ts';
import { OVER_REST } from './remote/place.ts';
import { remoteOf } from './remote/profiles.ts';
import {
  ENVIRONMENT,
  ENVIRONMENT_MEANING,
  readInvoice,
  resolveEnvironment,
  resourceChange,
} from './targets.ts';
import { withServices } from './with-services.ts';

const INVOICE = operand('the id of the invoice');

/** The parts of a recipient’s fiscal identity that may be given. */
const IDENTITY = {
  taxIdType: optionalOption('type', 'the type of the tax id, if it is not a Spanish NIF'),
  taxIdCountry: optionalOption('CC', 'the country of the tax id'),
};

export function invoices(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'invoices', 'issued invoices, and their correction');
  reading(group, runtime);
  structuredDocuments(group, runtime);
  exportedDocuments(group, runtime);
  changeCommand(group, runtime, {
    name: 'void',
    description: 'voids an invoice that should not have been issued, here and at the agency',
    details:
      'Voids an invoice that should not have been issued, here and at the agency. Its number remains used. If the agency has rejected the cancellation, repeating the command sends another one.',
    parameters: { invoice: INVOICE },
    examples: [['An invoice issued twice', 'invoices void $INVOICE --reason "issued twice"']],
    preview: (context, { invoice }) => resourceChange(context, invoice, `void the invoice ${invoice}`),
    async run({ db, config }, { invoice: invoiceId }, { actor, reason }) {
      const request = parseRequest(voidRequest, { invoiceId, reason });
      return isRefusal(request) ? request : voidInvoice({ db, config }, { actor, within: null }, request);
    },
  });
  remoteInvoices(group, runtime);
  contractCommands(group, runtime, OVER_REST);
  exchanging(group, runtime);
  amending(group, runtime);
  changeCommand(group, runtime, {
    name: 'skip',
    alias: 'skip-record',
    description: 'marks a pending record as deliberately never sent',
    details:
      'Marks a pending record as deliberately never sent, for example of a company without this obligation. It must not have been sent yet; "invoices show" shows the ids of records.',
    parameters: { record: operand('the id of the record') },
    examples: [
      [
        'A record of a company that keeps its books at the agency',
        'invoices skip $RECORD --reason "SII" --live',
      ],
    ],
    preview: (context, { record }) => resourceChange(context, record, `never send the record ${record}`),
    async run(context, { record: recordId }, { actor, reason }) {
      const request = parseRequest(skipRequest, { recordId, reason });
      return isRefusal(request) ? request : skipRecord(context, actor, request);
    },
  });
}

function reading(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'list',
    description: 'lists the invoices of an environment, newest first',
    details:
      'Lists the invoices of an environment, newest first: with --environment from the database; without it over REST, those that the key of a login ("lacre login") can read.',
    parameters: {
      ...LISTING,
      environment: optionalOption('number|test|live', ENVIRONMENT_MEANING),
      company: ENVIRONMENT.company,
      integration: optionalOption('int_…', 'of this integration'),
      text: optionalOption('text', 'with this text in number, order or a line'),
      after: optionalOption('inv_…', 'continue after this one'),
    },
    examples: [
      [
        'Invoices rejected by the agency since a day',
        'invoices list --company $COMPANY --environment live --registration rejected --from 2026-01-01',
      ],
      ['By number', 'invoices list --environment $ENVIRONMENT --number F-2026-1 --json'],
      ['Of a login, over REST', 'invoices list --status issued --limit 10'],
    ],
    async run(context, { environment, profile, ...values }) {
      if (environment !== undefined) return listed(await context.local(), { ...values, environment });
      const { integration, text, after } = values;
      if (integration !== undefined || text !== undefined || after !== undefined)
        return new CommandFailure(
          'usage',
          '--integration, --text and --after require --environment: they are not available over REST',
        );
      return listRemotely(remoteOf(context.profiles, profile), values);
    },
  });
  queryCommand(group, runtime, {
    name: 'show',
    description: 'shows an invoice with its lines and records',
    parameters: { invoice: INVOICE },
    examples: [['One invoice', 'invoices show $INVOICE --json']],
    async run({ db }, { invoice }) {
      const read = await readInvoice({ db }, invoice);
      if (isRefusal(read)) return read;
      const { place, invoice: found } = read;
      const records = await readInvoiceRecords(db.pool, place.environmentId, invoice);
      return {
        ...summary(found),
        company: place.legalName,
        environment: place.kind,
        ...parts(found),
        records,
      };
    },
  });
}

type Filter = Parameters<typeof listInvoices>[2];
type Listing = Parameters<typeof resolveEnvironment>[1] &
  Pick<Filter, 'number' | 'email' | 'text'> & {
    readonly status: NonNullable<Filter['statuses']>[number] | undefined;
    readonly type: NonNullable<Filter['types']>[number] | undefined;
    readonly from: string | undefined;
    readonly to: string | undefined;
    readonly customer: string | undefined;
    readonly integration: string | undefined;
    readonly registration: NonNullable<Filter['registrationStatuses']>[number] | undefined;
    readonly limit: number;
    readonly after: string | undefined;
  };

async function listed(context: CommandContext, values: Listing): Promise<Outcome<object>> {
  const environmentId = await resolveEnvironment(context, values);
  if (isRefusal(environmentId)) return environmentId;
  const { timeZone } = await readEnvironmentTime(context.db.pool, environmentId);
  const { number, email, text, from, to, limit: size, after = null } = values;
  const filter: Filter = {
    ...{ number, email, text, ...oneEach(values) },
    ...{ externalCustomerId: values.customer, integrationId: values.integration },
    issuedFrom: from === undefined ? undefined : startOfDay(timeZone, from),
    issuedBefore: to === undefined ? undefined : endOfDay(timeZone, to),
  };
  const page = await listInvoices(context.db, environmentId, filter, { size, after });
  if (isRefusal(page)) return page;
  const read = createInvoiceReader(context.db);
  const found = await Promise.all(page.ids.map((id) => read(environmentId, id)));
  return { invoices: found.map((invoice) => summary(invoice!)), hasMore: page.hasMore };
}

function oneEach({ status, type, registration }: Listing): Filter {
  return {
    statuses: status && [status],
    types: type && [type],
    registrationStatuses: registration && [registration],
  };
}

/** Amounts in whole cents. */
function summary({ invoice, records, voided }: InvoiceView) {
  const { id, number, type, kind, issued_at: issuedAt, total, currency } = invoice;
  const registration = decisiveRecord(records)?.status ?? null;
  const status = voided ? 'voided' : 'issued';
  return { id, number, type, kind, status, registration, issuedAt, total, currency };
}

function parts(view: InvoiceView) {
  const { invoice, rectifiedBy } = view;
  return {
    ...{
      subtotal: invoice.subtotal,
      tax: invoice.tax,
      externalId: invoice.external_id,
      orderId: invoice.order_id,
    },
    ...{ recipientName: invoice.recipient_name, recipientTaxId: invoice.recipient_tax_id, rectifiedBy },
    lines: linesOf(view).map(({ description, quantity, unit_amount, quantity_decimal, total }) => {
      const exact = quantity_decimal === null ? {} : { quantityDecimal: quantity_decimal };
      return { description, quantity, ...exact, unitAmount: unit_amount, total };
    }),
  };
}

function exchanging(group: Command, runtime: CliRuntime): void {
  changeCommand(group, runtime, {
    name: 'exchange',
    description: 'issues one complete invoice in exchange for simplified ones (F3)',
    details:
      'Issues one complete invoice in exchange for simplified ones of one environment (F3). They remain valid, but cannot be corrected until it is voided.',
    parameters: {
      tickets: operands('the ids of the simplified invoices'),
      name: requiredOption('text', 'the recipient’s name'),
      taxId: requiredOption('id', 'the recipient’s tax id'),
      ...IDENTITY,
      line1: requiredOption('text', 'first line of the recipient’s address'),
      line2: optionalOption('text', 'second line of the address'),
      postalCode: requiredOption('text', 'postal code'),
      city: requiredOption('text', 'city'),
      country: requiredOption('CC', 'country, as ISO 3166-1 alpha-2'),
      email: optionalOption('address', 'the recipient’s email address'),
      externalId: optionalOption('text', 'the caller’s own id of the new invoice'),
      notes: optionalOption('text', 'text printed on it'),
    },
    examples: [
      [
        'Two tickets for one customer',
        'invoices exchange $TICKET1 $TICKET2 --name "García Pérez Ana" --tax-id 12345678Z --line1 "Calle Mayor 1" --postal-code 28001 --city Madrid --country ES --reason "asked at the counter"',
      ],
    ],
    preview: (context, { tickets }) =>
      resourceChange(context, tickets[0] ?? '', `exchange ${tickets.join(', ')} for a new invoice`),
    async run(context, values, { actor, reason }) {
      const { tickets, name, taxId, taxIdType, taxIdCountry, email, externalId, notes } = values;
      const { line1, line2, postalCode, city, country } = values;
      const request = parseRequest(exchangeRequest, {
        ticketIds: tickets,
        recipient: {
          ...{ name, taxId, taxIdType, taxIdCountry, email },
          address: { line1, line2, postalCode, city, country },
        },
        ...{ externalId, notes, reason },
      });
      if (isRefusal(request)) return request;
      return withServices(context, async (services) => {
        const environmentId = await environmentOfExchange(services, request);
        if (isRefusal(environmentId)) return environmentId;
        const issued = await exchangeInvoices(services, actor, environmentId, request);
        if (isRefusal(issued)) return issued;
        const { id: invoiceId, number, total } = issued.invoice;
        return { environmentId, invoiceId, number, total };
      });
    },
  });
}

type Amending = Readonly<
  Record<'invoice', string> &
    Record<'name' | 'taxId' | 'taxIdType' | 'taxIdCountry' | 'description', string | undefined> &
    Record<'reclassify', boolean>
>;

function amending(group: Command, runtime: CliRuntime): void {
  changeCommand(group, runtime, {
    name: 'amend',
    description: 'amends the record of an invoice and sends it again',
    details:
      'Amends the record of an invoice that the agency rejected or flagged, and sends it again. The invoice and its amounts remain unchanged; without options the same content is sent again.',
    parameters: {
      invoice: INVOICE,
      name: optionalOption('text', 'the recipient’s name as it must be declared'),
      taxId: optionalOption('id', 'the recipient’s tax id'),
      ...IDENTITY,
      description: optionalOption('text', 'the description of the operation as declared'),
      reclassify: flagOption('declare the taxes as now classified in the catalog'),
    },
    examples: [
      [
        'A name that is not in the census',
        'invoices amend $REJECTED --name "García Pérez Ana" --reason "name as in the census" --live',
      ],
    ],
    preview: (context, { invoice }) =>
      resourceChange(context, invoice, `send the record of ${invoice} again, amended,`),
    run: amended,
  });
}

async function amended(context: CommandContext, values: Amending, { actor, reason }: ActorAndReason) {
  const { invoice: invoiceId, name, taxId, taxIdType, taxIdCountry, description, reclassify } = values;
  const identity = { name, taxId, taxIdType, taxIdCountry };
  const changed = Object.values(identity).some((value) => value !== undefined);
  const recipient = changed ? identity : undefined;
  const sent = { invoiceId, reason, recipient, description, reclassify };
  const request = parseRequest(amendmentRequest, sent);
  if (isRefusal(request)) return request;
  return withServices(context, (services) => amendRecord(services, { actor, within: null }, request));
}
