import { writeFileSync } from 'node:fs';
import { SPANISH } from '../../../src/faces/docs/guides.ts';
import { englishOf, spanishOf, translated, withBlocksOf } from './translated.ts';

// `npm run spanish`: what Spanish guides take from the English ones.
for (const slug of translated()) {
  try {
    writeFileSync(new URL(`${slug}.md`, SPANISH), withBlocksOf(englishOf(slug), spanishOf(slug)));
  } catch (error) {
    throw new Error(`docs/guides/es/${slug}.md: ${(error as Error).message}`);
  }
}
