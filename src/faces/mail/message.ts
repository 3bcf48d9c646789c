import type { MailContent, WriteMail } from '../../subjects/emails/message.ts';
import { type MailFacts, mailFacts } from './facts.ts';
import { htmlOf } from './html.ts';

/** Writes a message in the language of its invoice, as plain text and as HTML with the same content. */
export const writeMail: WriteMail = (content) => {
  const facts = mailFacts(content);
  return { subject: facts.subject, text: plain(content, facts), html: htmlOf(content, facts) };
};

/** The plain text, for mail clients that show no HTML, and for those who prefer it. */
function plain({ portalUrl, pdfUrl, attachments }: MailContent, content: MailFacts): string {
  const { texts, notice, greeting, lead, message, amount, facts, closing } = content;
  const width = Math.max(...facts.map(([label]) => label.length), amount.label.length) + 2;
  const row = ([label, text]: readonly [string, string]) => `${`${label}:`.padEnd(width)}${oneLine(text)}`;
  return `${[
    ...(notice === null ? [] : [`*** ${notice} ***`]),
    `${greeting}\n\n${lead}`,
    ...(message === null ? [] : [message.replace(/\r\n?/g, '\n')]),
    [row([amount.label, amount.text]), ...facts.map(row)].join('\n'),
    ...(portalUrl === null ? [] : [`${texts.portal}:\n${portalUrl}\n${texts.portalNote}`]),
    ...(pdfUrl === null ? [] : [`${texts.pdf}:\n${pdfUrl}`]),
    ...(attachments.length === 0 ? [] : [`${texts.attached(attachments.length)}: ${attachments.join(', ')}`]),
    // The line that readers of mail know a signature by (RFC 3676, section 4.3).
    ['-- ', ...closing].join('\n'),
  ].join('\n\n')}\n`;
}

const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ', ');
