import { constants } from 'node:os';
import { TECHNICAL_WORDS } from './words.ts';

const ERROR_NAMES = new Set([...Object.keys(constants.errno), 'ENOTFOUND', 'EAI_AGAIN', 'EPROTO']);
const OWN_NAMES = new Set([
  'Node',
  'Postgres',
  'PgBouncer',
  'SMTP',
  'TLS',
  'HTTP',
  'URL',
  'NIF',
  'PDF',
  'SQL',
  'S3',
  'JSON',
  'XML',
]);
/** Numbers of the agency's codes, of HTTP and of counts; longer ones may be a telephone or an account. */
const NUMBER = /^\d{1,4}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/;
const VERSION = /^\d{1,3}\.\d{1,3}(\.\d{1,3})?$/;
/** Ids of ours, which say nothing to anybody who has not the database; secrets have other prefixes. */
const ID = /^(co|inv|rec|cert|sub|ns|job|whe|whd|eml|dft|sch|bat)_[0-9A-Za-z]{1,40}$/;
/** Names of settings, of errors of TLS and of our own codes. */
const CODE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;
const OMITTED = '…';

/**
 * A text without anything that may be of a person or secret: of its words those remain that are known to be technical, and codes, short
 * numbers and ids of ours. Runs of all others become one ellipsis.
 */
export function plainWords(text: string): string {
  const kept: string[] = [];
  for (const token of text.slice(0, 2_000).match(/[\p{L}\p{N}_][\p{L}\p{N}_.:@’'+-]*/gu) ?? []) {
    const word = plainWord(token);
    // A number behind a name may be that of a house.
    const isOmitted = word === OMITTED || (kept.at(-1) === OMITTED && NUMBER.test(word));
    if (!isOmitted) kept.push(word);
    else if (kept.at(-1) !== OMITTED) kept.push(OMITTED);
  }
  return kept.join(' ');
}

function plainWord(token: string): string {
  const word = token.replace(/[.:’'+-]+$/, '');
  const lower = word.toLowerCase();
  const isSentence = word === lower || word === lower[0]!.toUpperCase() + lower.slice(1);
  if (isSentence && TECHNICAL_WORDS.has(lower)) return lower;
  const isKnown = ERROR_NAMES.has(word) || OWN_NAMES.has(word);
  return isKnown || [NUMBER, INSTANT, VERSION, ID, CODE].some((form) => form.test(word)) ? word : OMITTED;
}
