/** A natural person's name in the parts of the format. */
export type PersonName = {
  readonly name: string;
  readonly firstSurname: string;
  readonly secondSurname: string | null;
};

/** Particles that belong to the following surname. */
const PARTICLES: ReadonlySet<string> = new Set(
  'de del la las los el y i da do das dos di van von der den mac san santa'.split(' '),
);

/**
 * The parts of a natural person's name, which is one text in the invoice. With a comma the surnames precede it.
 * Without one they are the last two words, as usual in Spanish names, each with its particles; of two words the
 * last one. The words and their order stay the same, so joining the parts gives the name in the invoice. Null for a
 * single word.
 */
export function splitName(full: string): PersonName | null {
  const [before = '', after] = full.split(/,(.*)/s).map((part) => part.trim());
  if (after !== undefined && before !== '' && after !== '') {
    const [firstSurname = '', ...rest] = units(before, true);
    return { name: after, firstSurname, secondSurname: rest.length === 0 ? null : rest.join(' ') };
  }
  const nameParts = units(full, false);
  const last = nameParts.pop();
  if (last === undefined || nameParts.length === 0) return null;
  if (nameParts.length === 1) return { name: nameParts[0]!, firstSurname: last, secondSurname: null };
  const firstSurname = nameParts.pop()!;
  return { name: nameParts.join(' '), firstSurname, secondSurname: last };
}

/** Words, each with the particles before it; the first word of a name is never a particle. */
function units(text: string, mayBegin: boolean): string[] {
  const found: string[] = [];
  let particles: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (PARTICLES.has(word.toLowerCase()) && (mayBegin || found.length > 0)) particles.push(word);
    else {
      found.push([...particles, word].join(' '));
      particles = [];
    }
  }
  return particles.length === 0 ? found : [...found.slice(0, -1), [found.at(-1), ...particles].join(' ')];
}
