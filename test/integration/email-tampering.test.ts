import { afterAll, beforeAll, expect, test } from 'vitest';
import { processBounce } from '../../src/subjects/emails/process-bounce.ts';
import type { JournalFinding } from '../../src/subjects/journal/finding.ts';
import { verifyJournal } from '../../src/subjects/journal/verify.ts';
import { Sending } from '../support/mail/sending.ts';
import { postfix } from './bounce-reports.ts';

let sending: Sending;
/** Ids of an e-mail that was sent, of one that was reported as failed later, and of one that waits. */
let ids: { sent: string; bounced: string; waiting: string; otherInvoice: string };
beforeAll(async () => {
  sending = await Sending.open({ EMAIL_BOUNCES: 'rebotes@emisora.example' });
  const [invoice, another] = [await sending.issue(), await sending.issue()];
  const handOver = async (body: object) => {
    const { id } = await sending.sent(invoice.id, body);
    await sending.deliver(id);
    return id;
  };
  const sent = await handOver({ to: ['ana@example.com'], message: 'Gracias.', formats: ['ubl'] });
  const bounced = await handOver({ to: ['eva@example.com'] });
  const { from: returnPath, header } = sending.server.received.at(-1)!;
  const report = postfix({ returnPath, messageId: header('message-id')!, address: 'eva@example.com' });
  expect(await processBounce(sending.service.services, Buffer.from(report))).toMatchObject({
    outcome: 'bounced',
  });
  const { id: waiting } = await sending.sent(another.id);
  ids = { sent, bounced, waiting, otherInvoice: another.id };
});
afterAll(() => sending?.close());

/** What is found when somebody who owns the database has done this behind the triggers; nothing of it stays. */
async function foundAfter(statement: string): Promise<string[]> {
  const client = await sending.service.owner.connect();
  const findings: JournalFinding[] = [];
  try {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(statement);
    await verifyJournal(client, sending.company.test.environmentId, {
      ...{ batch: 3, progress: () => {}, isOver: () => false },
      add: (finding) => findings.push(finding),
    });
  } finally {
    await client.query('rollback');
    client.release();
  }
  return findings.map(({ what }) => what);
}

const email = (change: string) => () => `update invoice_email set ${change} where id = '${ids.sent}'`;
const state = (change: string) => () =>
  `update invoice_email_state set ${change} where email_id = '${ids.sent}'`;

test('e-mails that were sent, have come back, and wait are sound', async () => {
  expect(await foundAfter('select 1')).toEqual([]);
});

test.each<[string, () => string, string]>([
  ['to whom an e-mail was sent', email("recipients = '{otra@example.com}'"), 'journal_content'],
  ['what was written in it', email("message = 'x'"), 'journal_content'],
  ['what was attached', email("formats = '{}'"), 'journal_content'],
  ['when it was requested', email("requested_at = requested_at - interval '1 day'"), 'journal_content'],
  ['who requested it', email("requested_by = 'key_x'"), 'journal_content'],
  ['with which invoice it was sent', () => email(`invoice_id = '${ids.otherInvoice}'`)(), 'journal_content'],
  ['that it was sent', state("status = 'failed', reason = 'refused'"), 'journal_content'],
  ['that it waits again', state("status = 'queued', settled_at = null"), 'journal_content'],
  [
    'that it has come back',
    () => `update invoice_email_state set status = 'sent', reason = null where email_id = '${ids.bounced}'`,
    'journal_content',
  ],
  [
    'why it has failed',
    () => `update invoice_email_state set reason = 'refused' where email_id = '${ids.bounced}'`,
    'journal_content',
  ],
  [
    'an e-mail that is gone',
    () =>
      `delete from invoice_email_state where email_id = '${ids.sent}'; delete from invoice_email where id = '${ids.sent}'`,
    'journal_row_missing',
  ],
  [
    'an e-mail that nobody sent',
    () =>
      `update invoice_email_state set status = 'sent', settled_at = now() where email_id = '${ids.waiting}'`,
    'journal_untold',
  ],
])('%s is found', async (_what, statement, found) => {
  expect(await foundAfter(statement())).toContain(found);
});
