import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { parseRequest } from '../errors/issues.ts';
import { isRefusal } from '../errors/refusal.ts';
import { createLogger } from '../lib/logger.ts';
import { amendRecord } from '../rectifying/amend-record.ts';
import { amendmentRequest } from '../rectifying/amended-content.ts';
import { environmentOfExchange, exchangeInvoices, exchangeRequest } from '../rectifying/exchange.ts';
import { voidInvoice, voidRequest } from '../rectifying/void-invoice.ts';
import { skipRecord, skipRequest } from '../registration/skip-record.ts';
import type { Services } from '../services.ts';
import { assemble } from '../startup/assemble.ts';
import { findSimulator } from '../startup/simulator.ts';
import { actor, type Command, oneOf, readOptions, required, UsageError } from './command.ts';

/** A recipient on the command line. */
const IDENTITY = ['name', 'tax-id', 'tax-id-type', 'tax-id-country'] as const;
const ADDRESS = ['line1', 'line2', 'postal-code', 'city', 'country'] as const;

type Options = Partial<Record<(typeof IDENTITY)[number] | (typeof ADDRESS)[number], string>>;

export const invoices: Record<string, Command> = {
  void: {
    usage: '<inv_…> --reason <text>',
    async run(db, args, config) {
      const { options, rest } = readOptions(args, ['reason']);
      const request = parseRequest(voidRequest, {
        invoiceId: single(rest, 'the id of the invoice'),
        reason: required(options.reason, '--reason'),
      });
      return isRefusal(request) ? request : voidInvoice({ db, config }, actor(), request);
    },
  },
  exchange: {
    usage:
      '<inv_…> [<inv_…> …] --name <text> --tax-id <id> [--tax-id-type <type>] [--tax-id-country <CC>] --line1 <text> [--line2 <text>] --postal-code <text> --city <text> --country <CC> [--email <address>] [--external-id <text>] [--notes <text>]',
    async run(db, args, config) {
      const names = [...IDENTITY, ...ADDRESS, 'email', 'external-id', 'notes'] as const;
      const { options, rest } = readOptions(args, names);
      const request = parseRequest(exchangeRequest, {
        ticketIds: rest,
        recipient: { ...identityOf(options), email: options.email, address: addressOf(options) },
        externalId: options['external-id'],
        notes: options.notes,
      });
      if (isRefusal(request)) return request;
      return withServices(db, config, async (services) => {
        const environmentId = await environmentOfExchange(services, request);
        if (isRefusal(environmentId)) return environmentId;
        const issued = await exchangeInvoices(services, actor(), environmentId, request);
        if (isRefusal(issued)) return issued;
        const { id: invoiceId, number, total } = issued.invoice;
        return { environmentId, invoiceId, number, total };
      });
    },
  },
  amend: {
    usage:
      '<inv_…> --reason <text> [--name <text>] [--tax-id <id>] [--tax-id-type <type>] [--tax-id-country <CC>] [--description <text>] [--reclassify yes|no]',
    async run(db, args, config) {
      const names = ['reason', ...IDENTITY, 'description', 'reclassify'] as const;
      const { options, rest } = readOptions(args, names);
      const identity = identityOf(options);
      const changes = Object.values(identity).some((value) => value !== undefined);
      const request = parseRequest(amendmentRequest, {
        invoiceId: single(rest, 'the id of the invoice'),
        reason: required(options.reason, '--reason'),
        recipient: changes ? identity : undefined,
        description: options.description,
        reclassify: oneOf(options.reclassify ?? 'no', '--reclassify', ['yes', 'no']) === 'yes',
      });
      if (isRefusal(request)) return request;
      return withServices(db, config, (services) => amendRecord(services, actor(), request));
    },
  },
  'skip-record': {
    usage: '<rec_…> --reason <text>',
    async run(db, args) {
      const { options, rest } = readOptions(args, ['reason']);
      const request = parseRequest(skipRequest, {
        recordId: single(rest, 'the id of the record'),
        reason: required(options.reason, '--reason'),
      });
      return isRefusal(request) ? request : skipRecord(db, actor(), request);
    },
  },
};

function single(rest: string[], what: string): string {
  if (rest.length > 1) throw new UsageError('one at a time');
  return required(rest[0], what);
}

function identityOf(options: Options) {
  return {
    name: options.name,
    taxId: options['tax-id'],
    taxIdType: options['tax-id-type'],
    taxIdCountry: options['tax-id-country'],
  };
}

function addressOf(options: Options) {
  return {
    line1: options.line1,
    line2: options.line2,
    postalCode: options['postal-code'],
    city: options.city,
    country: options.country,
  };
}

/** With all that a process of the service works with: the registers of recipients are asked as it would. */
async function withServices<T>(db: Db, config: Config, work: (services: Services) => Promise<T>): Promise<T> {
  const log = createLogger('error');
  const { services, close } = assemble({ config, db, log, simulator: findSimulator(config) });
  try {
    return await work(services);
  } finally {
    await close();
  }
}
