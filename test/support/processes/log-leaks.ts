import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplicateKeys } from './duplicate-keys.ts';

/** Something in a log that must not be there. */
export type Leak = {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly text: string;
};

export type Searched = { readonly lines: number; readonly values: number; readonly leaks: readonly Leak[] };

/** Values that must not be logged, recognised by their form. */
const FORMS: readonly (readonly [kind: string, form: RegExp])[] = [
  ['key', /\b((sk_test|sk_live|op)_[A-Za-z0-9_-]{43}|at_[A-Za-z0-9_-]{76})\b/],
  ['Authorization header', /\bBearer +[\w.~+/-]{8,}/i],
  ['private key or certificate', /-----BEGIN [A-Z ]+-----/],
  ['password in an address', /\b[a-z]+:\/\/[^\s/:@"]+:[^\s/@"]+@/],
  ['signed link', /[?&]token=[\w.-]{8,}/],
  ['customer’s link', /\/portal\/[\w-]{40,}/],
  ['cookie', /\blacre_(portal|console)=/],
  ['e-mail address', /[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/i],
  ['NIF', /(?<![\w-])([XYZ]\d{7}|\d{8})[TRWAGMYFPDXBNJZSQVHLCKE](?![\w-])/],
];

/**
 * What in a run's logs must not be there: by its form, or because it was noted as personal or secret. Lines of what
 * programs wrote that are not of their logs are for a person who asked, and not searched.
 */
export function findLeaks(folder: string): Searched {
  const files = readdirSync(folder);
  const values = secretsByWord(folder, files);
  const leaks: Leak[] = [];
  let lines = 0;
  for (const file of files.filter((name) => /^(log|output)-/.test(name))) {
    for (const [index, line] of readFileSync(join(folder, file), 'utf8').split('\n').entries()) {
      if (!line.startsWith('{"level":')) continue;
      lines += 1;
      for (const name of duplicateKeys(line))
        leaks.push({ file, line: index + 1, kind: 'name that is there twice', text: `${name} in ${line}` });
      const found = leaksIn(line, values);
      leaks.push(
        ...found.map(({ kind, text }) => ({ file, line: index + 1, kind, text: `${text} in ${line}` })),
      );
    }
  }
  return { lines, values: [...values.values()].flat().length, leaks };
}

type Secret = { readonly kind: string; readonly value: string };

function leaksIn(line: string, secrets: ReadonlyMap<string, Secret[]>): { kind: string; text: string }[] {
  const byForm = FORMS.flatMap(([kind, form]) => {
    const [text] = form.exec(line) ?? [];
    return text === undefined ? [] : [{ kind, text }];
  });
  const words = new Set(line.toLowerCase().match(WORD));
  const byValue = [...words]
    .flatMap((word) => secrets.get(word) ?? [])
    .filter(({ value }) => containsWhole(line, value))
    .map(({ kind, value }) => ({ kind, text: value }));
  return [...byForm, ...byValue];
}

const WORD = /[\p{L}\p{N}_-]{4,}/gu;

/** A single word is not personal data: a test's value may be a word that is common in logs. */
const PLAIN_WORD = /^[\p{L}_.-]*$/u;

/** Each value under the first of its words, so that a line is only held against values that it could hold. */
function secretsByWord(folder: string, files: readonly string[]): Map<string, Secret[]> {
  const found = new Map<string, Secret[]>();
  for (const file of files.filter((name) => name.startsWith('values-'))) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line === '') continue;
      const [kind, value] = JSON.parse(line) as [string, string];
      const [word] = value.toLowerCase().match(WORD) ?? [];
      if (word === undefined || PLAIN_WORD.test(value)) continue;
      // As encoded in a line of JSON.
      const written = JSON.stringify(value).slice(1, -1);
      found.set(word, [...(found.get(word) ?? []), { kind, value: written }]);
    }
  }
  return found;
}

function containsWhole(line: string, value: string): boolean {
  const outside = /[\p{L}\p{N}]/u;
  for (let at = line.indexOf(value); at >= 0; at = line.indexOf(value, at + 1)) {
    if (!outside.test(line[at - 1] ?? '') && !outside.test(line[at + value.length] ?? '')) return true;
  }
  return false;
}

/** What a person reads of the leaks; the same one from many lines once. */
export function report({ leaks }: Searched): string {
  const found = new Map<string, { leak: Leak; times: number }>();
  for (const leak of leaks) {
    const what = `${leak.kind} ${leak.text.replace(/"time":\d+/, '').slice(0, 120)}`;
    const known = found.get(what);
    if (known) known.times += 1;
    else found.set(what, { leak, times: 1 });
  }
  const lines = [...found.values()]
    .slice(0, 50)
    .map(
      ({ leak, times }) =>
        `${leak.file}:${leak.line} ${leak.kind} (${times} times): ${leak.text.slice(0, 600)}`,
    );
  return `${leaks.length} times something was logged that must not be:\n${lines.join('\n')}`;
}
