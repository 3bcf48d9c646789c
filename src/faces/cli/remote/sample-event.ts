import type { components, EventType, InvoiceRequest, LacreClient, LacreEvent } from '@lacre/client';
import { madridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import type { Remote } from './profiles.ts';

type EventData = components['schemas']['EventData'];
type Verifactu = components['schemas']['Verifactu'];

/** An id of the right form that no event has. */
const NO_ID = `evt_${'0'.repeat(32)}`;

const REJECTED = { code: '1110', message: 'El NIF no está identificado en el censo de la AEAT.' };
const FLAGGED = {
  code: '2001',
  message: 'El NIF del destinatario no está identificado en el censo de la AEAT.',
};

/** The registration after events that are about it. */
const REGISTRATION: Readonly<Partial<Record<EventType, Pick<Verifactu, 'status' | 'error'>>>> = {
  'invoice.rejected': { status: 'rejected', error: REJECTED },
  'invoice.registered_with_errors': { status: 'registered_with_errors', error: FLAGGED },
  'invoice.skipped': { status: 'skipped', error: null },
};

const YEAR_MS = 365 * 86_400_000;

/** A sample event about an existing invoice. */
export async function sampleEvent(
  type: EventType,
  { client, profile: { environment } }: Remote,
  ticket: InvoiceRequest,
): Promise<LacreEvent> {
  const event = {
    ...{ id: NO_ID, type, sequence: 0, created_at: clock.now().toISOString(), environment },
    data: type.startsWith('invoice.') ? await ofInvoice(type, client, ticket) : { object: other(type) },
  };
  return event as LacreEvent;
}

async function ofInvoice(type: EventType, client: LacreClient, ticket: InvoiceRequest): Promise<EventData> {
  const { data } = await client.invoices.list({ limit: 1 }).first();
  const invoice = data[0] ?? (await client.invoices.create(ticket));
  const registration = REGISTRATION[type];
  if (registration === undefined || invoice.verifactu === null)
    return { object: { ...invoice, pdf_url: null } };
  return {
    object: { ...invoice, pdf_url: null, verifactu: { ...invoice.verifactu, ...registration } },
    previous: { verifactu: { status: 'pending', error: null } },
  };
}

function other(type: EventType): EventData['object'] {
  const now = clock.now();
  if (type === 'ping' || type === 'webhook_endpoint.disabled') return endpoint(type === 'ping', now);
  if (type.startsWith('chain.'))
    return { chain_id: 1, installation_number: '1', hold: type === 'chain.held' ? 'restored' : null };
  if (type === 'invoice_schedule.failed') {
    const period = madridDay(now);
    const error = { code: 'invalid_tax_id', detail: 'Sample event.' };
    return { id: 'sch_sample', draft_id: 'dft_sample', period, ...error };
  }
  if (type === 'certificate.expiring') {
    return {
      ...{ id: 'crt_sample', kind: 'seal', holder_nif: 'B72877814', holder_name: 'Talleres Ñandú SL' },
      fingerprint: '0'.repeat(64),
      valid_from: new Date(now.getTime() - YEAR_MS).toISOString(),
      valid_to: now.toISOString(),
    };
  }
  throw new Error(`no sample event of the type ${type}`);
}

function endpoint(isActive: boolean, now: Date): components['schemas']['WebhookEndpoint'] {
  return {
    ...{ id: 'whe_sample', url: 'https://shop.example.com/lacre', event_types: ['*'], description: null },
    status: isActive ? 'active' : 'disabled',
    disabled_reason: isActive ? null : 'Sample event.',
    created_at: new Date(now.getTime() - YEAR_MS).toISOString(),
  };
}
