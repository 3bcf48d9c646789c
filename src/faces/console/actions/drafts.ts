import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { html } from '../../web/html.ts';
import { companyScopeOf, environmentNamed } from '../company.ts';
import { facts } from '../components.ts';
import { addressOf, draftState, type EnvironmentScope, recipientOf, scheduleState } from '../drafts.ts';
import { money } from '../format.ts';
import type { Action, Confirmation, Entries, OperatorContext } from '../page.ts';
import { draftOf } from '../pages/drafts.ts';
import { scheduleOf } from '../pages/schedules.ts';
import { stored } from '../query.ts';

/** What operators do with drafts and schedules. */

type Texts = Pick<Confirmation, 'title' | 'lead' | 'submit'> & { readonly irreversible?: boolean };
type Perform = Action['perform'];

async function scopeOf(context: OperatorContext): Promise<Outcome<EnvironmentScope>> {
  const found = await companyScopeOf(context);
  return isRefusal(found) ? found : { ...found, environment: environmentNamed(context) };
}

/** The variables of every action: its subject, its environment and the reason. */
const target = (context: OperatorContext, entries: Entries) => ({
  ...{ companyId: context.param('companyId'), environment: environmentNamed(context) },
  ...{ id: context.param('id'), reason: entries('reason') },
});

const onDraft = (texts: Texts, perform: Perform): Action => ({
  async prepare(context) {
    const companyScope = await scopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    const draft = await draftOf(context, companyScope);
    if (isRefusal(draft)) return draft;
    const subject = html`<div class="card">${facts([
      ['Draft', html`<code>${draft.id}</code>`],
      ['State', draftState(draft)],
      ['Recipient', recipientOf(draft.invoice)],
      ['Total', draft.total !== null && money(draft.total)],
    ])}</div>`;
    return { ...texts, companyScope, subject, back: addressOf(companyScope, 'drafts', `/${draft.id}`) };
  },
  perform,
});

const ISSUE =
  stored(`mutation ConsoleIssueDraft($companyId: ID!, $environment: Environment!, $id: ID!, $reason: String!) {
  issueInvoiceDraft(companyId: $companyId, environment: $environment, id: $id, reason: $reason) { id }
}`);

export const issueDraft = onDraft(
  {
    title: 'Issue the draft',
    lead: 'It becomes an invoice with the next number and the current time. An invoice can only be corrected, never edited or deleted.',
    submit: 'Issue it',
    irreversible: true,
  },
  async (context, entries) => {
    const done = await ISSUE(context, target(context, entries));
    if (isRefusal(done)) return done;
    return { flash: 'The invoice is issued.', to: `/invoices/${done.issueInvoiceDraft.id}` };
  },
);

const DELETE =
  stored(`mutation ConsoleDeleteDraft($companyId: ID!, $environment: Environment!, $id: ID!, $reason: String!) {
  deleteInvoiceDraft(companyId: $companyId, environment: $environment, id: $id, reason: $reason) { id }
}`);

export const deleteDraft = onDraft(
  {
    title: 'Delete the draft',
    lead: 'It is deleted permanently. No number was used for it.',
    submit: 'Delete it',
    irreversible: true,
  },
  async (context, entries) => {
    const named = target(context, entries);
    const done = await DELETE(context, named);
    if (isRefusal(done)) return done;
    const to = `/companies/${named.companyId}/drafts?environment=${named.environment}`;
    return { flash: 'The draft is deleted.', to };
  },
);

const onSchedule = (texts: Texts, perform: Perform): Action => ({
  async prepare(context) {
    const companyScope = await scopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    const schedule = await scheduleOf(context, companyScope);
    if (isRefusal(schedule)) return schedule;
    const subject = html`<div class="card">${facts([
      ['Schedule', html`<code>${schedule.id}</code>`],
      ['State', scheduleState(schedule.status)],
      ['Recipient', recipientOf(schedule.invoice)],
      ['Next', schedule.nextDates[0]],
    ])}</div>`;
    return { ...texts, companyScope, subject, back: addressOf(companyScope, 'schedules', `/${schedule.id}`) };
  },
  perform,
});

const PAUSE =
  stored(`mutation ConsolePauseSchedule($companyId: ID!, $environment: Environment!, $id: ID!, $reason: String!) {
  pauseInvoiceSchedule(companyId: $companyId, environment: $environment, id: $id, reason: $reason) { id }
}`);

export const pauseSchedule = onSchedule(
  {
    title: 'Pause the schedule',
    lead: 'No more invoices are issued until it is resumed. Days that pass meanwhile are skipped.',
    submit: 'Pause it',
  },
  async (context, entries) => {
    const done = await PAUSE(context, target(context, entries));
    return isRefusal(done) ? done : { flash: 'The schedule is paused.' };
  },
);

const RESUME =
  stored(`mutation ConsoleResumeSchedule($companyId: ID!, $environment: Environment!, $id: ID!, $reason: String!) {
  resumeInvoiceSchedule(companyId: $companyId, environment: $environment, id: $id, reason: $reason) { id }
}`);

export const resumeSchedule = onSchedule(
  {
    title: 'Resume the schedule',
    lead: 'It continues from today; days that have passed are skipped.',
    submit: 'Resume it',
  },
  async (context, entries) => {
    const done = await RESUME(context, target(context, entries));
    return isRefusal(done) ? done : { flash: 'The schedule is active again.' };
  },
);

const END =
  stored(`mutation ConsoleEndSchedule($companyId: ID!, $environment: Environment!, $id: ID!, $reason: String!) {
  endInvoiceSchedule(companyId: $companyId, environment: $environment, id: $id, reason: $reason) { id }
}`);

export const endSchedule = onSchedule(
  {
    title: 'End the schedule',
    lead: 'No more invoices are issued. Those already created remain unchanged.',
    submit: 'End it',
    irreversible: true,
  },
  async (context, entries) => {
    const done = await END(context, target(context, entries));
    return isRefusal(done) ? done : { flash: 'The schedule has ended.' };
  },
);
