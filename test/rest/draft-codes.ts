import { DRAFT_LIMITS } from '../../src/subjects/drafts/limits.ts';
import { untilWaiting } from '../support/database/held-locks.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { done, type Provocations } from './provocations.ts';

/** The codes of drafts, with their statuses. */
export const DRAFT_CODES: Readonly<Record<string, number>> = {
  invoice_draft_not_found: 404,
  invoice_draft_already_issued: 409,
  invoice_draft_changed: 409,
  conflict: 409,
  invoice_draft_limit_reached: 409,
  invoice_schedule_not_found: 404,
  invoice_schedule_ended: 409,
  invoice_schedule_limit_reached: 409,
  test_clock_not_available: 403,
};

const aSchedule = () => ({
  invoice: aSimplifiedInvoice(),
  frequency: 'monthly',
  starts_on: '2199-01-31',
});

/** How they come about. */
export const draftCodes: Provocations = {
  invoice_draft_not_found: ({ operations }) => operations.draft('dft_1'),

  async invoice_draft_already_issued({ operations }) {
    const { id } = await done(operations.createDraft({ invoice: aSimplifiedInvoice() }));
    await done(operations.issueDraft(id));
    return operations.changeDraft(id, { due_in_days: 1 });
  },

  async invoice_draft_changed({ operations, service: { db } }) {
    const { id } = await done(operations.createDraft({ invoice: aSimplifiedInvoice() }));
    const client = await db.pool.connect();
    await client.query('begin');
    await client.query('update invoice_draft set version = version + 1 where id = $1', [id]);
    const issuing = operations.issueDraft(id);
    await untilWaiting(db, 1);
    await client.query('commit');
    client.release();
    return issuing;
  },

  async conflict({ operations }) {
    const { id } = await done(operations.createDraft({ invoice: aSimplifiedInvoice() }));
    return operations.changeDraft(id, { due_in_days: 1 }, '2026-01-01T00:00:00.000Z');
  },

  invoice_schedule_not_found: ({ operations }) => operations.changeStatusOfSchedule('sch_1', 'pause'),

  async invoice_schedule_ended({ operations }) {
    const { id } = await done(operations.createSchedule(aSchedule()));
    await done(operations.changeStatusOfSchedule(id, 'end'));
    return operations.changeStatusOfSchedule(id, 'resume');
  },

  async invoice_schedule_limit_reached({ operations, company, service: { owner } }) {
    await owner.query(
      `insert into invoice_schedule (environment_id, id, content, frequency, starts_on, status, next_on, created_at, updated_at)
       select $1::int, 'sch_' || $1::int || '_' || n, '{}', 'monthly', now(), 'paused', now(), now(), now()
         from generate_series(1, $2) n`,
      [company.test.environmentId, DRAFT_LIMITS.schedules.value],
    );
    return operations.createSchedule(aSchedule());
  },

  test_clock_not_available: ({ operations, company }) => operations.testClock(company.live.key),

  async invoice_draft_limit_reached({ operations, company, service: { owner } }) {
    await owner.query(
      `insert into invoice_draft (environment_id, id, content, errors, created_at, updated_at)
       select $1::int, 'dft_' || $1::int || '_' || n, '{}', '[]', now(), now() from generate_series(1, $2) n`,
      [company.test.environmentId, DRAFT_LIMITS.openDrafts.value],
    );
    return operations.createDraft({ invoice: {} });
  },
};
