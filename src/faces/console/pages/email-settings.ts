import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { LANGUAGES } from '../branding.ts';
import { companyScopeOf, environmentNamed, environmentSwitch } from '../company.ts';
import { facts } from '../components.ts';
import { EMAIL_SETTINGS } from '../email-settings.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { say } from '../words.ts';

/** How an environment of a company sends e-mail. */
export async function emailSettings(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const { companyId } = companyScope;
  const environment = environmentNamed(context);
  const found = await EMAIL_SETTINGS(context, { companyId, environment });
  if (isRefusal(found)) return found;
  const { senderName, replyTo, copyTo, reminderDays, reminderLanguage, reminderMessage } =
    found.emailSettings!;
  const address = `${context.root}/companies/${companyId}/email`;
  const language = LANGUAGES.find(([code]) => code === reminderLanguage)?.[1].text;
  const body = html`<h1>${say('E-mail')}</h1>
<p class="lead">${say('The sender of messages, and the schedule of reminders of overdue invoices.')}</p>
${environmentSwitch(address, environment)}
<div class="card">${facts([
    ['Name of the sender', senderName === null ? say('the company’s legal name') : bdi(senderName)],
    ['Reply address', replyTo === null ? say('none: replies are not read') : bdi(replyTo)],
    ['Copies', copyTo === null ? say('none') : bdi(copyTo)],
    [
      'Reminders',
      reminderDays.length === 0
        ? say('none')
        : say('{days} days after the due date', { days: reminderDays.join(', ') }),
    ],
    ['Language of reminders', language ?? say('the language of the invoice')],
    ['Text in reminders', reminderMessage === null ? say('none') : bdi(reminderMessage)],
  ])}
<p class="ways"><a class="button small" href="${address}/change?environment=${environment}">${say('Change…')}</a></p></div>`;
  return { title: 'E-mail', companyScope: { ...companyScope, environment }, body };
}
