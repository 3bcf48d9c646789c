import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { badge, facts, recordPlace, timesSent } from '../components.ts';
import { moment } from '../format.ts';
import { briefInvoice } from '../invoice.ts';
import type { Action, Confirmation, OperatorContext } from '../page.ts';
import { stored } from '../query.ts';
import type { Text } from '../words.ts';

const FACTS = stored(`query ConsoleRecordFacts($id: ID!) {
  registrationRecord(id: $id) { id kind chainId position invoiceId generatedAt status attempts parkedReason }
}`);

type RecordAction = {
  readonly name: 'park' | 'unpark' | 'skip';
  readonly title: Text;
  readonly lead: Text;
  readonly submit: Text;
  readonly flash: Text;
  readonly irreversible?: boolean;
};

function onRecord({ name, title, lead, submit, flash, irreversible = false }: RecordAction): Action {
  // What an action gives back is read again by the page that follows.
  const answer = name === 'skip' ? 'id' : 'chainId';
  const mutate = stored(
    `mutation Console_${name}($id: ID!, $reason: String!) { ${name}Record(recordId: $id, reason: $reason) { ${answer} } }`,
  );
  return {
    prepare: (context) => confirmation(context, { title, lead, submit, irreversible }),
    async perform(context, entries) {
      const done = await mutate(context, { id: context.param('id'), reason: entries('reason') });
      return isRefusal(done) ? done : { flash };
    },
  };
}

async function confirmation(
  context: OperatorContext,
  {
    title,
    lead,
    submit,
    irreversible,
  }: Pick<RecordAction, 'title' | 'lead' | 'submit'> & { irreversible: boolean },
): Promise<Outcome<Confirmation>> {
  const found = await FACTS(context, { id: context.param('id') });
  if (isRefusal(found)) return found;
  const record = found.registrationRecord;
  const brief = await briefInvoice(context, record.invoiceId);
  if (isRefusal(brief)) return brief;
  const { invoice, companyScope } = brief;
  const subject = html`<div class="card">${facts([
    ['Record', recordPlace(record)],
    ['Invoice', bdi(invoice.number)],
    [
      'State',
      html`${badge(record.status)}${record.parkedReason !== null && html` ${badge('parked', 'Parked')}`}`,
    ],
    ['Created', moment(record.generatedAt)],
    ['Sent', timesSent(record.attempts)],
  ])}</div>`;
  return {
    title,
    lead,
    submit,
    irreversible,
    subject,
    companyScope: companyScope,
    back: `/records/${record.id}`,
  };
}

export const parkRecord = onRecord({
  name: 'park',
  title: 'Park the record',
  lead: 'It is set aside so that the others can be sent, and stays pending until it is unparked. The law requires it to be sent: park it only while the cause is being removed.',
  submit: 'Park it',
  flash: 'The record is parked.',
});

export const unparkRecord = onRecord({
  name: 'unpark',
  title: 'Unpark the record',
  lead: 'It is sent with the others of its chain, in order, as soon as the agency’s waiting time allows.',
  submit: 'Unpark it',
  flash: 'The record is pending again.',
});

export const skipRecord = onRecord({
  name: 'skip',
  title: 'Mark the record as never sent',
  lead: 'It is marked as deliberately never sent to the agency: only for records that the law exempts from sending. It must not have been sent yet. This cannot be undone, and its invoice cannot be corrected by a rectificativa.',
  submit: 'Never send it',
  irreversible: true,
  flash: 'The record is skipped.',
});
