import { ERRORS_ES } from '../../ground/errors/catalogue-es.ts';
import type { FieldIssue, Refusal } from '../../ground/errors/refusal.ts';
import { type Content, html } from '../web/html.ts';
import { say, spokenLanguage, wordOf } from './words.ts';

/**
 * A refusal in the language of the page. The detail is written once, in English, as the API answers it; in Spanish it
 * follows what its code means, marked as English.
 */
export function refusalText({ code, detail }: Refusal): Content {
  const own = wordOf(detail);
  if (spokenLanguage() === 'en' || own !== detail) return sentence(own);
  return html`${ERRORS_ES[code][0]} <span class="soft" lang="en">${sentence(detail)}</span>`;
}

/** What is wrong with a field, by the code of the issue; what has no words in Spanish stays as the API says it. */
const ISSUES = {
  required: '{field} is required.',
  invalid_value: '{field} is not valid:',
  invalid_format: '{field} is not valid:',
  invalid_type: '{field} is not valid:',
  out_of_range: '{field} is outside what is allowed:',
  too_big: '{field} is too long or too large:',
  too_small: '{field} is too short or too small:',
  duplicate: '{field} exists already:',
} as const;

const issueOf = (code: string) =>
  code in ISSUES ? ISSUES[code as keyof typeof ISSUES] : '{field} is not valid:';

/** The fault of a field with this label. */
export function issueText(label: string, { code, message }: Pick<FieldIssue, 'code' | 'message'>): Content {
  if (spokenLanguage() === 'en') return sentence(`${label} ${message}`);
  const own = wordOf(message);
  if (own !== message) return sentence(`${label} ${own}`);
  const text = say(issueOf(code), { field: label });
  return code === 'required' ? text : html`${text} <span lang="en">${sentence(message)}</span>`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
