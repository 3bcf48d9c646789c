import { words } from '../language.ts';

const tones: Record<string, string> = {
  registered: 'good',
  paid: 'good',
  active: 'good',
  unpaid: 'waiting',
  partially_paid: 'waiting',
  paused: 'warning',
  overdue: 'bad',
  disabled: 'bad',
  pending: 'waiting',
  registered_with_errors: 'warning',
  rejected: 'bad',
  voided: 'bad',
};

/** Where an invoice stands, in words as well as in colour. Values that are new some day are shown as they are. */
export function Status({ status, registration }: { status: string; registration: string | undefined }) {
  const shown = status === 'voided' ? status : (registration ?? status);
  return <span className={`mark ${tones[shown] ?? ''}`}>{words(shown)}</span>;
}
