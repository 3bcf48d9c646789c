import { type Html, html } from '../web/html.ts';
import { say } from './words.ts';

/** A record of a chain with the results of its verification, as GraphQL returns it. */
export type Step = {
  readonly recordId: string;
  readonly position: number;
  readonly kind: 'registration' | 'cancellation';
  readonly invoiceId: string;
  readonly number: string | null;
  readonly status: string | null;
  readonly generatedAt: string;
  readonly hash: string;
  readonly previousHash: string | null;
  readonly linkHolds: boolean;
  readonly fingerprintHolds: boolean;
  readonly timeHolds: boolean;
  readonly findings: readonly Finding[];
};

export type Finding = {
  readonly what: string;
  readonly expected: string | null;
  readonly found: string | null;
};

/** Whether link, fingerprint and time are correct, each also as text. */
export function checks({ linkHolds, fingerprintHolds, timeHolds, findings }: Step): Html {
  const three = [
    ['Link', linkHolds],
    ['Fingerprint', fingerprintHolds],
    ['Time', timeHolds],
  ] as const;
  const otherFindings = findings.length > 0 && linkHolds && fingerprintHolds && timeHolds;
  return html`<span class="checks">${three.map(
    ([name, holds]) =>
      html`<span class="check ${holds ? 'holds' : 'broken'}"><span aria-hidden="true">${holds ? '✓' : '✗'}</span> ${say(name)}<span class="unseen"> ${holds ? say('holds') : say('does not hold')}</span></span> `,
  )}${otherFindings && html`<span class="check broken"><span aria-hidden="true">✗</span> ${say('Content')}</span>`}</span>`;
}
