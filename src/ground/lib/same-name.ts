/** Whether two names have the same words, in whatever order, case and punctuation, with or without accents. */
export function isSameName(one: string, other: string): boolean {
  return wordsOf(one) === wordsOf(other);
}

function wordsOf(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[.'’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    // The letters of an abbreviation: S. L. is SL.
    .replace(/(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu, '');
  return plain.trim().split(' ').sort().join(' ');
}
