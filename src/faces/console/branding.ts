import { stored } from './query.ts';
import { given } from './words.ts';

export const BRANDING = stored(`query ConsoleBranding($companyId: ID!, $environment: Environment!) {
  companyBranding(companyId: $companyId, environment: $environment) { language accentColour textColour logo { type width height } }
}`);

/** The languages of documents, each by its own name. */
export const LANGUAGES = [
  ['es', given('Español')],
  ['en', given('English')],
  ['ca', given('Català')],
  ['gl', given('Galego')],
  ['eu', given('Euskara')],
] as const;
