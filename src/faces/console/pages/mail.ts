import { isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { facts, section, table } from '../components.ts';
import { moment } from '../format.ts';
import { WRITTEN } from '../mail.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { given, say, type Text } from '../words.ts';

const LIST = stored('query ConsoleWrittenEmails { writtenEmails { id writtenAt to subject } }');

/** What a demo would have sent. */
export async function mail(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await LIST(context, {});
  if (isRefusal(found)) return found;
  const { writtenEmails } = found;
  if (writtenEmails === null) {
    const where: Text =
      'E-mails are listed with each invoice. Messages are shown here only by the demo, if no mail server is configured.';
    return { title: 'Mail', body: html`<h1>${say('Mail')}</h1><p class="lead">${say(where)}</p>` };
  }
  const body = html`<h1>${say('Mail')}</h1>
<p class="lead">${say('This demo has no mail server: it writes messages into a folder instead of sending them. The last 50.')}</p>
${table(
  'Messages',
  [
    {
      head: 'Subject|mail',
      cell: ({ id, subject }) => html`<a href="${context.root}/mail/${id}">${bdi(subject)}</a>`,
    },
    { head: 'To', cell: ({ to }) => to.map((address) => html`${bdi(address)} `) },
    { head: 'Written', cell: ({ writtenAt }) => moment(writtenAt) },
  ],
  writtenEmails,
  'No messages yet: an invoice can be sent from its page.',
)}`;
  return { title: 'Mail', body };
}

/** One message: as its readers see it, plain, and its files. */
export async function message(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await WRITTEN(context, { id: context.param('id') });
  if (isRefusal(found)) return found;
  if (found.writtenEmail === null)
    return new Refusal('not_found', 'No message with this id was written here.');
  const { id, from, to, subject, text, attachments, writtenAt } = found.writtenEmail;
  const address = `${context.root}/mail/${id}`;
  const files = attachments.map(
    ({ filename }, index) => html`<a href="${address}/files/${index}" download>${bdi(filename)}</a><br>`,
  );
  const body = html`<h1>${bdi(subject)}</h1>
<div class="card">${facts([
    ['From|mail', bdi(from)],
    ['To', to.map((one) => html`${bdi(one)} `)],
    ['Written', moment(writtenAt)],
    ['Files', files.length > 0 && html`${files}`],
  ])}</div>
${section('As HTML', html`<iframe class="message" sandbox src="${address}/html" title="${say('The message as HTML')}"></iframe>`, 'html')}
${section('Plain', html`<pre class="card message-text" dir="auto">${text}</pre>`, 'plain')}`;
  return { title: given(subject), body, frames: true };
}
