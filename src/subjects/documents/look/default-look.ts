import type { Look } from '../content.ts';

/** What a company has that never set anything. */
export const DEFAULT_LOOK: Look = { id: null, language: 'es', accentColour: null, logo: null };
