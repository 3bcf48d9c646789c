import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { badge, facts, kindNames } from '../components.ts';
import { moment, number } from '../format.ts';
import { briefInvoice } from '../invoice.ts';
import type { Action, Confirmation, OperatorRequest } from '../page.ts';
import { stored } from '../query.ts';

const FACTS = stored(`query ConsoleRecordFacts($id: ID!) {
  registrationRecord(id: $id) { id kind chainId position invoiceId generatedAt status attempts parkedReason }
}`);

type RecordAct = {
  readonly name: 'park' | 'unpark' | 'skip';
  readonly title: string;
  readonly lead: string;
  readonly submit: string;
  readonly flash: string;
  readonly irreversible?: boolean;
};

function onRecord({ name, title, lead, submit, flash, irreversible = false }: RecordAct): Action {
  // What an action gives back is read again by the page that follows.
  const answer = name === 'skip' ? 'id' : 'chainId';
  const mutate = stored(
    `mutation Console_${name}($id: ID!, $reason: String!) { ${name}Record(recordId: $id, reason: $reason) { ${answer} } }`,
  );
  return {
    prepare: (visit) => confirmation(visit, { title, lead, submit, irreversible }),
    async perform(visit, entries) {
      const done = await mutate(visit, { id: visit.param('id'), reason: entries('reason') });
      return isRefusal(done) ? done : { flash };
    },
  };
}

async function confirmation(
  visit: OperatorRequest,
  {
    title,
    lead,
    submit,
    irreversible,
  }: Pick<RecordAct, 'title' | 'lead' | 'submit'> & { irreversible: boolean },
): Promise<Outcome<Confirmation>> {
  const found = await FACTS(visit, { id: visit.param('id') });
  if (isRefusal(found)) return found;
  const record = found.registrationRecord;
  const brief = await briefInvoice(visit, record.invoiceId);
  if (isRefusal(brief)) return brief;
  const { invoice, companyScope } = brief;
  const subject = html`<div class="card">${facts([
    ['Record', `${kindNames[record.kind]}, position ${number(record.position)} of chain ${record.chainId}`],
    ['Invoice', bdi(invoice.number)],
    [
      'State',
      html`${badge(record.status)}${record.parkedReason !== null && html` ${badge('parked', 'Parked')}`}`,
    ],
    ['Made', moment(record.generatedAt)],
    ['Sent', record.attempts === 0 ? 'never' : `${number(record.attempts)}×`],
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
  lead: 'It is taken out of the way of the others, which go on without it, and stays pending until it is put back. The law wants it sent: park it only while something is being mended.',
  submit: 'Park it',
  flash: 'The record is parked.',
});

export const unparkRecord = onRecord({
  name: 'unpark',
  title: 'Put the record back',
  lead: 'It is sent again with the others of its chain, in order, as soon as the agency’s wait allows.',
  submit: 'Put it back',
  flash: 'The record is back among those that are sent.',
});

export const skipRecord = onRecord({
  name: 'skip',
  title: 'Mark the record as never sent',
  lead: 'It is settled as deliberately never sent to the agency: only for what the law keeps out of the sending. It must not have left yet. It cannot be taken back, and its invoice cannot be corrected by a rectificativa.',
  submit: 'Never send it',
  irreversible: true,
  flash: 'The record is settled as skipped.',
});
