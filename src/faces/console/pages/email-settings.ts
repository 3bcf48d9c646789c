import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { LANGUAGES } from '../branding.ts';
import { companyScopeOf, environmentNamed, environmentSwitch } from '../company.ts';
import { facts } from '../components.ts';
import { EMAIL_SETTINGS } from '../email-settings.ts';
import type { OperatorContext, PageContent } from '../page.ts';

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
  const language = LANGUAGES.find(([code]) => code === reminderLanguage)?.[1];
  const body = html`<h1>E-mail</h1>
<p class="lead">The sender of messages, and the schedule of reminders of overdue invoices.</p>
${environmentSwitch(address, environment)}
<div class="card">${facts([
    ['Name of the sender', senderName === null ? 'the company’s legal name' : bdi(senderName)],
    ['Reply address', replyTo === null ? 'none: replies are not read' : bdi(replyTo)],
    ['Copies', copyTo === null ? 'none' : bdi(copyTo)],
    ['Reminders', reminderDays.length === 0 ? 'none' : `${reminderDays.join(', ')} days after the due date`],
    ['Language of reminders', language ?? 'the language of the invoice'],
    ['Text in reminders', reminderMessage === null ? 'none' : bdi(reminderMessage)],
  ])}
<p class="ways"><a class="button small" href="${address}/change?environment=${environment}">Change…</a></p></div>`;
  return { title: 'E-mail', companyScope: { ...companyScope, environment }, body };
}
