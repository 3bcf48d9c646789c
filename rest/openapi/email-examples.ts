import { registered } from './examples.ts';

/** Examples of e-mails in answers. */
export const email = {
  id: 'eml_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9',
  invoice_id: registered.id,
  kind: 'invoice',
  reminder_days: null,
  status: 'queued',
  reason: null,
  to: ['ana@example.com'],
  message: 'Gracias por su compra.',
  language: 'es',
  formats: [],
  deliveries: [
    { address: 'ana@example.com', status: 'queued', response: null, status_code: null, copy: false },
  ],
  attempts: 0,
  last_error: null,
  requested_by: 'key_01a1f90e0b7a7cc0a4f1d1a2b3c4d5ea',
  created_at: '2026-11-20T13:00:00.000Z',
  next_attempt_at: '2026-11-20T13:00:00.000Z',
  settled_at: null,
};

export const emailPage = { data: [email], has_more: false, next_cursor: null, next_url: null };

export const emailSettings = {
  sender_name: 'Talleres Ñandú',
  reply_to: 'facturas@example.com',
  copy_to: null,
  reminder_days: [3, 10, 30],
  reminder_language: null,
  reminder_message: null,
};

export const sendRequests = {
  recipient: { summary: 'To the address on the invoice', value: {} },
  others: {
    summary: 'To others, with a message and the invoice in UBL',
    value: { to: ['ana@example.com', 'contabilidad@example.com'], message: 'Gracias.', formats: ['ubl'] },
  },
};

export const settingsChanges = {
  reply: { summary: 'Set the reply address', value: { reply_to: 'facturas@example.com' } },
  reminders: {
    summary: 'Reminders three, ten and thirty days after the due date',
    value: { reminder_days: [3, 10, 30], reminder_message: '¿Alguna duda? Llámenos.' },
  },
};
