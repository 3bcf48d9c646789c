import { describe, expect, test } from 'vitest';
import {
  amendmentFlags,
  cancellationFlags,
  type RecordFacts,
} from '../../src/subjects/rectifying/record-flags.ts';

/** Records in short: `R` or `C`, a state, and the agency's code when it refused. */
function records(...short: string[]): RecordFacts[] {
  return short.map((text) => {
    const [kind, status, errorCode = null] = text.split(' ');
    return {
      kind: kind === 'R' ? 'registration' : 'cancellation',
      status: { ok: 'registered', flagged: 'registered_with_errors' }[status!] ?? status,
      errorCode,
    } as RecordFacts;
  });
}

const flagged = (previouslyRejected: 'S' | 'X' | null) => ({ previouslyRejected, isAcceptedAsIs: false });
const asIs = { previouslyRejected: null, isAcceptedAsIs: true };

describe('an amendment (table of admissible operations, validations 6.1)', () => {
  test.each<[string, string[], ReturnType<typeof amendmentFlags>]>([
    ['of an imported invoice: there is none', [], 'undeclared'],
    ['of what is on its way: not yet', ['R pending'], 'pending'],
    ['of what is on its way: not yet', ['R rejected', 'R pending'], 'pending'],
    ['of what was accepted as it is: S alone', ['R ok'], asIs],
    ['of what was amended and accepted: S alone', ['R flagged', 'R ok'], asIs],
    ['of what was never to be declared: none', ['R skipped'], 'unreported'],
    ['after a rejected first: S and X', ['R rejected'], flagged('X')],
    ['after several rejected: still X', ['R rejected', 'R rejected'], flagged('X')],
    ['of what was accepted with errors: S alone', ['R flagged'], flagged(null)],
    ['once more, accepted with errors again', ['R flagged', 'R flagged'], flagged(null)],
    ['after a rejected amendment of an accepted one: S', ['R flagged', 'R rejected'], flagged('S')],
    ['after a rejected amendment of what was accepted as it is: S', ['R ok', 'R rejected'], flagged('S')],
    ['after an amendment that was skipped', ['R flagged', 'R skipped'], flagged(null)],
    ['after a rejected and a skipped one', ['R flagged', 'R rejected', 'R skipped'], flagged('S')],
    ['after a rejected first and a skipped amendment', ['R rejected', 'R skipped'], flagged('X')],
    ['when the agency holds one from elsewhere', ['R rejected 3000'], flagged(null)],
    ['when the agency says that it holds none', ['R flagged', 'R rejected 3002'], flagged('X')],
  ])('%s (%j)', (_what, history, expected) => {
    expect(amendmentFlags(records(...history))).toEqual(expected);
  });
});

describe('a cancellation (table of admissible operations, validations 6.2)', () => {
  const flags = (withoutPriorRecord: boolean, previouslyRejected: boolean) => ({
    withoutPriorRecord,
    previouslyRejected,
  });

  test.each<[string, string[], ReturnType<typeof cancellationFlags>]>([
    ['of an imported invoice: there is none', [], 'undeclared'],
    ['of what is on its way: not yet', ['R pending'], 'pending'],
    ['of what is on its way: not yet', ['R flagged', 'R pending'], 'pending'],
    ['that is on its way', ['R ok', 'C pending'], 'pending'],
    ['of what was accepted: without flags', ['R ok'], flags(false, false)],
    ['of what was accepted with errors: without flags', ['R flagged'], flags(false, false)],
    ['after a rejected amendment: without flags', ['R flagged', 'R rejected'], flags(false, false)],
    ['of what was rejected: without previous record', ['R rejected'], flags(true, false)],
    ['again, after a rejected one', ['R ok', 'C rejected'], flags(false, true)],
    ['again, of what was rejected', ['R rejected', 'C rejected'], flags(true, true)],
    ['again, when the agency says that it holds nothing', ['R ok', 'C rejected 3002'], flags(true, true)],
    ['again, when the agency says that it holds one', ['R rejected', 'C rejected 3000'], flags(false, true)],
    ['again, after one that was skipped', ['R ok', 'C skipped'], flags(false, false)],
    ['that was accepted: no other', ['R ok', 'C ok'], 'done'],
    ['that was accepted with errors: no other', ['R ok', 'C flagged'], 'done'],
    ['that was accepted after a rejected one: no other', ['R ok', 'C rejected', 'C ok'], 'done'],
    ['of what was never to be declared: not sent either', ['R skipped'], 'unreported'],
    ['of what was never to be declared: once', ['R skipped', 'C skipped'], 'done'],
  ])('%s (%j)', (_what, history, expected) => {
    expect(cancellationFlags(records(...history))).toEqual(expected);
  });
});

/**
 * The agency by the words of its tables: what it holds of the invoice, and which attempts it refused last. A record that
 * it must refuse is refused with the code of its table; any other may be accepted, flagged, or refused for its content.
 */
type Agency = { held: boolean; refusedAmendment: boolean; refusedCancellation: boolean };
type Sent =
  | { amends: boolean; previouslyRejected: string | null }
  | { withoutPrior: boolean; again: boolean };

function mustRefuse(agency: Agency, sent: Sent): string | null {
  if ('amends' in sent) {
    const asFirst = !sent.amends || sent.previouslyRejected === 'X';
    if (agency.held && asFirst) return '3000';
    return !agency.held && !asFirst ? '3002' : null;
  }
  if (agency.held && sent.withoutPrior) return '3000';
  return !agency.held && !sent.withoutPrior ? '3002' : null;
}

function after(agency: Agency, sent: Sent, accepted: boolean): Agency {
  if ('amends' in sent) {
    return { ...agency, held: agency.held || accepted, refusedAmendment: sent.amends && !accepted };
  }
  return { ...agency, held: agency.held || accepted, refusedCancellation: !accepted };
}

const OUTCOMES = ['registered', 'registered_with_errors', 'rejected', 'skipped'] as const;

/** Follows every history of an invoice of so many records, whatever the operator does and the agency says. */
function explore(
  history: RecordFacts[],
  agency: Agency,
  left: number,
  visit: (history: RecordFacts[], agency: Agency) => void,
): void {
  visit(history, agency);
  if (left === 0) return;
  const isVoided = history.some(({ kind }) => kind === 'cancellation');
  const next: [RecordFacts['kind'], Sent][] = [];
  if (history.length === 0) {
    next.push(['registration', { amends: false, previouslyRejected: null }]);
  } else {
    const amendment = amendmentFlags(history);
    if (!isVoided && typeof amendment === 'object') {
      next.push(['registration', { amends: true, ...amendment }]);
    }
    const flags = cancellationFlags(history);
    if (typeof flags === 'object') {
      const sent = { withoutPrior: flags.withoutPriorRecord, again: flags.previouslyRejected };
      next.push(['cancellation', sent]);
    }
  }
  for (const [kind, sent] of next) {
    const refused = mustRefuse(agency, sent);
    for (const status of OUTCOMES) {
      if (refused !== null && status.startsWith('registered')) continue;
      const errorCode = status === 'rejected' ? (refused ?? '1100') : null;
      const known = status === 'skipped' ? agency : after(agency, sent, status !== 'rejected');
      explore([...history, { kind, status, errorCode }], known, left - 1, visit);
    }
  }
}

describe.each([
  ['an invoice of which the agency holds nothing', false],
  ['an invoice of whose number the agency holds something from elsewhere', true],
])('whatever happens to %s', (_what, held) => {
  test('flags state what the agency holds, as soon as it is known', () => {
    let visited = 0;
    const nothing = { held, refusedAmendment: false, refusedCancellation: false };
    explore([], nothing, 6, (history, agency) => {
      visited += 1;
      const wasSent = history.some(({ status }) => status !== 'skipped');
      if (!wasSent) return;
      // A refusal for its content comes before the agency looks at what it holds, so that much may stay unknown.
      const isKnown =
        !held ||
        history.some(({ errorCode, status }) => errorCode === '3000' || status.startsWith('registered'));
      const amendment = amendmentFlags(history);
      const isVoided = history.some(({ kind }) => kind === 'cancellation');
      if (!isVoided && typeof amendment === 'object' && isKnown) {
        const expected = !agency.held ? 'X' : agency.refusedAmendment ? 'S' : null;
        expect(amendment, JSON.stringify(history)).toMatchObject({ previouslyRejected: expected });
      }
      const cancellation = cancellationFlags(history);
      if (typeof cancellation === 'object' && isKnown) {
        const expected = { withoutPriorRecord: !agency.held, previouslyRejected: agency.refusedCancellation };
        expect(cancellation, JSON.stringify(history)).toEqual(expected);
      }
    });
    expect(visited).toBeGreaterThan(1_000);
  });
});
