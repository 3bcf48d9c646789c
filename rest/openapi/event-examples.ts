import type { EventType } from '../../src/ground/journal/entry.ts';
import { numberSeriesExample } from '../contract/number-series.ts';
import { recipientStatusExample } from '../contract/payments.ts';
import { webhookEndpointExample } from '../contract/webhooks.ts';
import { RECIPIENT_STATUS_TYPES } from '../event-schemas.ts';
import { registered } from './examples.ts';

/** Examples of events and webhooks in answers. */
export const event = {
  id: 'evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007',
  type: 'invoice.registered',
  sequence: 7,
  created_at: '2026-11-20T13:00:02.000Z',
  environment: 'live',
  data: {
    object: { ...registered, pdf_url: null },
    previous: { verifactu: { status: 'pending', error: null } },
  },
};

const OBJECTS: Readonly<Record<string, object>> = {
  invoice: event.data.object,
  number_series: numberSeriesExample,
  certificate: {
    id: 'cert_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e8',
    kind: 'seal',
    holder_nif: 'B72877814',
    holder_name: 'Talleres Ñandú SL',
    fingerprint: '97fe1f1c7116d13cea52614c96d608bc95ea0deb728d4f73bb2dac8e60dda165',
    valid_from: '2024-12-10T00:00:00.000Z',
    valid_to: '2026-12-10T00:00:00.000Z',
  },
  chain: { chain_id: 7, installation_number: '1', hold: 'unchecked' },
  invoice_schedule: {
    id: 'sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1',
    draft_id: 'dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0',
    period: '2026-12-31',
    code: 'invalid_tax_id',
    detail: 'The tax id is not registered.',
  },
  webhook_endpoint: {
    ...webhookEndpointExample,
    status: 'disabled',
    disabled_reason: 'it answered 410 Gone',
  },
  ping: webhookEndpointExample,
};

/** An event of each type. */
export function eventOf(type: EventType): object {
  const object = OBJECTS[type.split('.')[0]!]!;
  if (type === 'invoice.sent' || type === 'invoice.email_failed') {
    const reason = type === 'invoice.sent' ? null : 'refused';
    const email = { id: 'eml_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9', kind: 'invoice', reason };
    return { ...event, type, data: { object, email } };
  }
  if (RECIPIENT_STATUS_TYPES.includes(type)) {
    const { created_at: _, ...rejected } = recipientStatusExample;
    const { status_reason: __, ...paid } = rejected;
    const status = {
      'invoice.recipient_rejected': rejected,
      'invoice.recipient_paid': { ...paid, status: 'paid', status_reason: null },
    }[type as string] ?? {
      ...rejected,
      status: 'withdrawn',
      told_by: null,
      status_reason: 'They arrived later.',
    };
    return { ...event, type, data: { object, recipient_status: status } };
  }
  return type === event.type
    ? event
    : { ...event, type, data: { object: type === 'chain.released' ? { ...object, hold: null } : object } };
}
