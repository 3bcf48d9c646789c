import { AsyncLocalStorage } from 'node:async_hooks';
import type { Language } from '../../ground/lib/language.ts';
import { type Content, type Html, html } from '../web/html.ts';
import { SPANISH } from './spanish/all.ts';

/**
 * The words of the pages. They stand in English where they are shown, and in Spanish by subject in `spanish/`: a text without
 * a translation does not compile. What follows `|` in a text tells two meanings of the same words apart and is not shown.
 */

const current = new AsyncLocalStorage<Language>();

/** Runs `work` so that all that it words is in the language. Ambient, since every piece of a page, down to a day or an amount, has words. */
export function inLanguage<T>(language: Language, work: () => T): T {
  return current.run(language, work);
}

/** The language of the page that is being made. */
export function spokenLanguage(): Language {
  return current.getStore() ?? 'en';
}

/** Every text of the pages. */
export type Wording = keyof typeof SPANISH;

/** What the places of a text are called: `count` of `{count} records`. */
type Places<T extends string> = T extends `${string}{${infer Place}}${infer Rest}`
  ? Place | Places<Rest>
  : never;
type Values<T extends string, Value> = [Places<T>] extends [never]
  ? [values?: undefined]
  : [values: Readonly<Record<Places<T>, Value>>];

/** A text without places. */
export type Text = { [T in Wording]: Places<T> extends never ? T : never }[Wording];

/** Words in the language of the page: text in it already, or somebody’s own, such as a name. */
export class Said {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What titles and labels are given as: a text of the pages, or words that are filled in. */
export type Label = Text | Said;

/** A text in the language of the page, with its places filled in. */
export function say<T extends Wording>(text: T, ...[values]: Values<T, string | number>): string {
  const filled: Readonly<Record<string, string | number>> | undefined = values;
  const found = inOwnLanguage(text);
  return filled === undefined ? found : found.replace(PLACE, (_, name) => String(filled[name]));
}

/** The same where markup is filled in. */
export function sayWith<T extends Wording>(text: T, ...[values]: Values<T, Content>): Html {
  const filled: Readonly<Record<string, Content>> = values ?? {};
  const parts = inOwnLanguage(text).split(PLACE);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : filled[part]))}`;
}

const PLACE = /\{(\w+)\}/g;

/** A text with its places filled in, as a label. */
export function said<T extends Wording>(text: T, ...values: Values<T, string | number>): Said {
  return new Said(say(text, ...values));
}

/** Somebody’s own words as a label. */
export function given(text: string): Said {
  return new Said(text);
}

/** A label in the language of the page. */
export function worded(label: Label): string {
  return label instanceof Said ? label.text : inOwnLanguage(label);
}

/** A word or sentence that the data hold, such as an outcome; as it is where there are no words for it. */
export function wordOf(data: string): string {
  return inOwnLanguage(/^[a-z_]+$/.test(data) ? data.replaceAll('_', ' ') : data);
}

const spanish: Readonly<Record<string, string>> = SPANISH;

function inOwnLanguage(text: string): string {
  const found = spokenLanguage() === 'es' && Object.hasOwn(spanish, text) ? spanish[text] : undefined;
  return found ?? text.split('|', 1)[0]!;
}
