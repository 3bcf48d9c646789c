import { stored } from './ask.ts';

export const BRANDING = stored(`query ConsoleLook($companyId: ID!) {
  companyLook(companyId: $companyId) { language accentColour textColour logo { type width height } }
}`);

export const LANGUAGES = [
  ['es', 'Español'],
  ['en', 'English'],
  ['ca', 'Català'],
  ['gl', 'Galego'],
  ['eu', 'Euskara'],
] as const;
