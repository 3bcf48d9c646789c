/**
 * Recipients by the words of their names. `recipient_name` has every name of an environment as lists compare it, so words are
 * looked for among names, of which there are far fewer than invoices; an index has the invoices of a name in the order of
 * issue.
 */

/** Under what name an invoice was issued; empty without one. */
export const RECIPIENT = "coalesce(recipient_company_name, recipient_name, '')";

/** The name of an invoice's recipient in lower case and without accents, in the order of its index; empty without a name. */
export const NAME = `folded(${RECIPIENT}) collate "C"`;

/** The invoice has this name of `recipient_name`. */
export const hasName = (name: string) => `${NAME} = ${name}`;

/** A character other than letters and digits before the accented letters; the same as in `name_words`. */
const BETWEEN = '[\\u0001-\\u002f\\u003a-\\u0060\\u007b-\\u00bf\\u2000-\\u206f]';

/** The words of a text, in lower case and without accents or the dots of a double l, as rows `word`. */
const wordsOf = (text: string) =>
  `(select word from regexp_split_to_table(double_l(folded(${text})), '${BETWEEN}+') as word where word <> '') as asked`;

/** Whether what is asked for has a double l, written with a dot (col·legi) or without: it is then compared without the dots. */
export const hasDoubleL = (given: string): boolean => /l[.·]?l|ŀl/iu.test(given.normalize());

/** Each word of the text is a prefix of one of these words of a name. */
const begins = (words: string, text: string) => `${words} @@ (
  select string_agg('''' || $1 || ' ' || word || ''':*', ' & ')::tsquery from ${wordsOf(text)})`;

/** A query for the names of the environment that have the words of the text. */
export const namesWith = (text: string) => `select distinct name from recipient_name
  where environment_id = $1 and ${begins('name_words(environment_id, name)', text)}`;

/** Postgres keeps 32 compiled patterns, one for each word. */
const MAX_PATTERNS = 16;

/** Whether the text has so few words that patterns find them in a tenth of the time. */
export function isShort(text: string): boolean {
  // Never fewer than the words that Postgres separates, by fewer characters.
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.filter((word) => word !== '').length <= MAX_PATTERNS;
}

/** Fulfilled by the same names, computed for each invoice that is read: the longest word is looked for first. */
export const nameBegins = (text: string, given: string) => {
  // As `name_words` has them: what is beside a dot, and the whole word.
  const name = hasDoubleL(given) ? `(${NAME} || ' ' || double_l(${NAME}))` : NAME;
  return [
    `strpos(${name}, (select word from ${wordsOf(text)} order by length(word) desc limit 1)) > 0`,
    isShort(given)
      ? `${name} ~ all ((select array_agg('(^|${BETWEEN})' || word) from ${wordsOf(text)})::text[])`
      : begins(`name_words(environment_id, ${RECIPIENT})`, text),
  ];
};
