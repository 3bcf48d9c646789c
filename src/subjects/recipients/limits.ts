import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of questions to the census and VIES, and of their answers. */
export const RECIPIENT_LIMITS = {
  unknownRecipients: {
    group: 'Shares of an environment',
    value: 60,
    unit: 'per minute',
    bounds:
      'Recipients of one environment that the census or VIES does not know, counted by process. A refused recipient is remembered for a minute and not asked about again.',
    reason:
      'As many as the validate endpoints allow. The registers are shared by all companies, and block whoever asks about thousands of made-up recipients.',
    beyond:
      'the environment’s questions are asked one at a time, with half a second after each unknown recipient; nothing is refused',
  },
  registerAnswer: {
    group: 'What others send us',
    value: 4_000,
    unit: 'ms',
    bounds:
      'The time in which the answer of the census or of VIES must have arrived, including connecting and queueing.',
    reason:
      'A caller is waiting to issue. Both normally answer within a second or two; after four seconds a 503 is better than waiting longer.',
    beyond: '503 `tax_id_validation_unavailable`',
  },
  registerAnswerSize: {
    group: 'What others send us',
    value: 64 * 1024,
    unit: 'bytes',
    bounds: 'An answer of the census or of VIES.',
    reason: 'They answer one question with less than 4 KiB.',
    beyond: '503 `tax_id_validation_unavailable`',
  },
} as const satisfies Record<string, Limit>;
