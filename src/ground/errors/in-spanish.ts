import type { Code } from './catalogue.ts';
import { ERRORS_ES } from './catalogue-es.ts';
import type { FieldIssue, Refusal } from './refusal.ts';
import { SENTENCES_ES } from './sentences-es.ts';

/** Longer ones hold what a caller made up: they are worded by their code. */
const LONGEST_SENTENCE = 600;

const PLACE = /\{\}/g;
const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

const sentences = SENTENCES_ES.map(([english, spanish]) => {
  const pattern = escaped(english.replace(/\.$/, '')).replace(PLACE, '(.+?)');
  return [new RegExp(`^${pattern}\\.?$`, 's'), spanish] as const;
});

/** The sentence in Spanish with what is filled in, or null where it has none. */
function sentenceIn(text: string): string | null {
  if (text.length > LONGEST_SENTENCE) return null;
  const [, line, ofLine] = /^Line (\d+): (.*)$/s.exec(text) ?? [];
  if (ofLine !== undefined) {
    const said = sentenceIn(ofLine);
    return said && `Línea ${line}: ${said}`;
  }
  for (const [pattern, spanish] of sentences) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const values = found.slice(1);
    return spanish.replace(PLACE, () => values.shift() ?? '');
  }
  return null;
}

const isCode = (code: string): code is Code => Object.hasOwn(ERRORS_ES, code);

/** What is wrong, by the reason of an issue; in a sentence that follows the name of its field. */
const REASONS: Readonly<Record<string, string>> = {
  required: 'es obligatorio',
  unrecognized_field: 'no existe ese campo',
  invalid_type: 'no es del tipo debido',
  invalid_format: 'no tiene el formato debido',
  too_small: 'es demasiado pequeño o demasiado corto',
  too_big: 'es demasiado grande o demasiado largo',
  duplicate: 'está repetido',
  not_supported: 'no se admite aquí',
};

/** What is wrong with a field, or likely wrong, in Spanish. */
export function issueInSpanish<Issue extends Pick<FieldIssue, 'code' | 'message'>>(issue: Issue): Issue {
  const { code, message } = issue;
  const meaning = isCode(code) ? ERRORS_ES[code][0] : (REASONS[code] ?? 'no es válido');
  return { ...issue, message: sentenceIn(message) ?? meaning };
}

type Said = Pick<Refusal, 'code' | 'detail' | 'errors'>;

/**
 * The same refusal in Spanish, for people: its code and its fields are unchanged. The detail is what was said where it has a sentence
 * of its own, else of a malformed request its first fault, else what the code means.
 */
export function inSpanish<Refused extends Said>(refused: Refused): Refused {
  const { code, detail } = refused;
  const errors = refused.errors.map(issueInSpanish);
  const [first] = errors;
  const fault =
    code === 'invalid_request' && first !== undefined && first.field !== ''
      ? `${first.field} ${first.message}.`
      : ERRORS_ES[code][0];
  return { ...refused, detail: sentenceIn(detail) ?? fault, errors };
}
