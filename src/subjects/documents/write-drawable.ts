import { writeFileSync } from 'node:fs';
import { drawableRanges } from './layout/coverage.ts';

/**
 * `npm run drawable`: writes the list of characters that the fonts of documents have, for code that must not open
 * fonts.
 */
const file = new URL('../../ground/lib/drawable-ranges.ts', import.meta.url);
const note =
  '/** What the fonts of documents have, in hexadecimal. Written by `npm run drawable`; a test holds it. */';
writeFileSync(file, `${note}\nexport const DRAWABLE =\n  '${drawableRanges()}';\n`);
