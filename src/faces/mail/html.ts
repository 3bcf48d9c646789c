import { accentOf } from '../../subjects/documents/layout/accent.ts';
import { colours } from '../../subjects/documents/layout/style.ts';
import type { MailContent } from '../../subjects/emails/message.ts';
import { bdi, type Html, html } from '../web/html.ts';
import type { MailFacts } from './facts.ts';

/**
 * Readers of mail know little of CSS: Outlook on Windows draws with Word, Gmail throws away what it does not know. So tables
 * hold the page, styles stand at the elements, and only the dark colours, which such readers leave out, stand in a style
 * sheet. Nothing is loaded from anywhere: the picture is in the message.
 */

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Readers that leave this out have narrower lines. */
const PHONE = '@media (max-width:480px){.side{padding-left:18px!important;padding-right:18px!important}}';

/** Readers that show dark pages take these; others turn the light colours by themselves, which stay readable. */
const DARK = `@media (prefers-color-scheme:dark){
.page{background:#14181d!important}.card{background:#1f252c!important;border-left-color:#39424d!important;border-right-color:#39424d!important;border-bottom-color:#39424d!important}
.ink{color:#eef1f4!important}.soft{color:#aeb8c3!important}.rule{border-color:#39424d!important}
.words{background:#29313a!important;border-color:#5a6675!important}.notice{background:#4a3710!important;color:#ffe2a8!important}
.link{color:#9cc7f5!important}
}`;

/** The message as HTML. */
export function htmlOf(content: MailContent, facts: MailFacts): string {
  const { invoice, logo } = content;
  const { line, ink } = accentOf(invoice.branding);
  const head = logo
    ? html`<img src="${logo.src}" width="${logo.width}" height="${logo.height}" alt="${facts.issuer}" style="display:block;border:0;background:#FFFFFF;padding:4px;border-radius:4px">`
    : html`<div class="ink" style="font-size:18px;line-height:24px;font-weight:600;color:${colours.ink}">${bdi(facts.issuer)}</div>`;
  return html`<!DOCTYPE html>
<html lang="${invoice.branding.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${facts.subject}</title><style>${PHONE}${DARK}</style></head>
<body class="page" style="margin:0;padding:0;background:${colours.wash};-webkit-text-size-adjust:100%">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:${colours.wash}"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="card" style="max-width:600px;text-align:left;background:#FFFFFF;border:1px solid ${colours.hairline};border-top:4px solid ${line};border-radius:6px;word-break:break-word;${FONT}">
${facts.notice !== null && html`<tr><td class="notice side" style="padding:10px 32px;background:${colours.testBand};color:${colours.testInk};font-size:13px;line-height:18px;font-weight:600">${facts.notice}</td></tr>`}
<tr><td class="side" style="padding:28px 32px 0">${head}</td></tr>
<tr><td class="ink side" style="padding:24px 32px 0;font-size:15px;line-height:22px;color:${colours.ink}"><p style="margin:0 0 8px">${bdi(facts.greeting)}</p><p style="margin:0">${bdi(facts.lead)}</p></td></tr>
${facts.message !== null && messageBox(facts.message, line)}
<tr><td class="side" style="padding:24px 32px 0"><div class="soft" style="font-size:13px;line-height:18px;color:${colours.muted}">${facts.amount.label}</div><div class="ink" style="font-size:30px;line-height:38px;font-weight:600;color:${colours.ink}">${facts.amount.text}</div></td></tr>
<tr><td class="side" style="padding:12px 32px 0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${facts.facts.map(fact)}</table></td></tr>
${ways(content, facts, ink)}
<tr><td class="side" style="padding:28px 32px 0"><div class="rule" style="border-top:1px solid ${colours.hairline};font-size:0;line-height:0">&nbsp;</div></td></tr>
<tr><td class="soft side" style="padding:16px 32px 28px;font-size:12px;line-height:18px;color:${colours.muted}">${facts.closing.map((text) => html`<p style="margin:0 0 4px">${bdi(text)}</p>`)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]--></td></tr></table>
</body></html>
`.markup;
}

/** What the company has added, in its own words. */
function messageBox(message: string, line: string): Html {
  return html`<tr><td class="side" style="padding:16px 32px 0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="words ink" dir="auto" style="padding:12px 16px;background:${colours.wash};border-left:3px solid ${line};font-size:15px;line-height:22px;color:${colours.ink}">${broken(message)}</td></tr></table></td></tr>`;
}

function fact([label, text]: readonly [string, string]): Html {
  const cell = `padding:7px 0;border-bottom:1px solid ${colours.hairline};font-size:14px;line-height:20px;vertical-align:top`;
  return html`<tr><td class="soft rule" style="${cell};color:${colours.muted};padding-right:16px;width:40%">${label}</td><td class="ink rule" style="${cell};color:${colours.ink};word-break:break-word">${broken(text)}</td></tr>`;
}

/** Where the reader goes from here, and what is attached. */
function ways({ portalUrl, pdfUrl, attachments }: MailContent, { texts }: MailFacts, ink: string): Html {
  return html`${portalUrl !== null && button(texts.portal, portalUrl, ink)}${portalUrl !== null && html`<tr><td class="soft side" style="padding:8px 32px 0;font-size:12px;line-height:18px;color:${colours.muted}">${texts.portalNote}</td></tr>`}
${pdfUrl !== null && button(texts.pdf, pdfUrl, ink)}
${attachments.length > 0 && html`<tr><td class="soft side" style="padding:20px 32px 0;font-size:13px;line-height:18px;color:${colours.muted}">${texts.attached(attachments.length)}: ${attachments.join(', ')}</td></tr>`}`;
}

/** A link that looks like a button also where links have no padding. */
function button(text: string, url: string, ink: string): Html {
  return html`<tr><td class="side" style="padding:24px 32px 0"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="${ink}" style="background:${ink};border-radius:4px"><a href="${url}" style="display:inline-block;padding:12px 22px;font-size:15px;line-height:20px;font-weight:600;color:#FFFFFF;text-decoration:none">${text}</a></td></tr></table></td></tr>`;
}

/** Somebody's words with their line breaks. */
function broken(text: string): Html {
  const [first = '', ...others] = text.split(/\r\n|\r|\n/);
  return html`<bdi>${first}${others.map((line) => html`<br>${line}`)}</bdi>`;
}
