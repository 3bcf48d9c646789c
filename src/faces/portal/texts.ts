import type { Language } from '../../ground/lib/language.ts';
import { en } from './texts-en.ts';
import { es, type Texts } from './texts-es.ts';

/** The texts of the pages, by language. */
export const texts: Readonly<Record<Language, Texts>> = { es, en };
