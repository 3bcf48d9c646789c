import { stored } from './query.ts';

export const BRANDING = stored(`query ConsoleBranding($companyId: ID!, $environment: Environment!) {
  companyBranding(companyId: $companyId, environment: $environment) { language accentColour textColour logo { type width height } }
}`);

export const LANGUAGES = [
  ['es', 'Español'],
  ['en', 'English'],
  ['ca', 'Català'],
  ['gl', 'Galego'],
  ['eu', 'Euskara'],
] as const;
