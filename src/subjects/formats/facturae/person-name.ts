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
 * The parts of a natural person's name, which is one text in the invoice. With a comma the surnames precede it. Without one, the name that goes with a
 * Spanish NIF is in the order of the census, surnames first (`registered`); any other has its surnames last. Either way two words, each with
 * its particles, are the surnames; of two words one. The words and their order stay the same, so joining the parts gives the name in the invoice.
 * Null for a single word.
 */
export function splitName(full: string, { registered }: { registered: boolean }): PersonName | null {
  const [before = '', after] = full.split(/,(.*)/s).map((part) => part.trim());
  if (after !== undefined && before !== '' && after !== '') {
    const [firstSurname = '', ...rest] = units(before, true);
    return { name: after, firstSurname, secondSurname: rest.length === 0 ? null : rest.join(' ') };
  }
  const parts = units(full, registered);
  if (parts.length < 2) return null;
  return registered ? surnamesFirst(parts) : surnamesLast(parts);
}

function surnamesLast(parts: readonly string[]): PersonName {
  const last = parts.at(-1)!;
  if (parts.length === 2) return { name: parts[0]!, firstSurname: last, secondSurname: null };
  return { name: parts.slice(0, -2).join(' '), firstSurname: parts.at(-2)!, secondSurname: last };
}

/** A given name begins with no particle: in `GARCIA MARIA DEL CARMEN` it is `MARIA DEL CARMEN`, and there is one surname. */
function surnamesFirst([firstSurname = '', ...rest]: readonly string[]): PersonName {
  const hasTwo = rest.length > 1 && !PARTICLES.has(rest[1]!.split(' ')[0]!.toLowerCase());
  if (!hasTwo) return { name: rest.join(' '), firstSurname, secondSurname: null };
  return { name: rest.slice(1).join(' '), firstSurname, secondSurname: rest[0]! };
}

/** Words, each with the particles before it; the first word of a given name is never a particle. */
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
