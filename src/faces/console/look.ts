import { stored } from './ask.ts';

/** How a company's documents look, as GraphQL gives it. */
export type Look = {
  readonly language: string;
  readonly accentColour: string | null;
  readonly textColour: string;
  readonly logo: { readonly type: string; readonly width: number; readonly height: number } | null;
};

export const LOOK = stored<{ companyLook: Look | null }>(`query ConsoleLook($companyId: ID!) {
  companyLook(companyId: $companyId) { language accentColour textColour logo { type width height } }
}`);

export const LANGUAGES = [
  ['es', 'Español'],
  ['en', 'English'],
  ['ca', 'Català'],
  ['gl', 'Galego'],
  ['eu', 'Euskara'],
] as const;
