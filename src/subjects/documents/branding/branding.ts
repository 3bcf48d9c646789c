import type { DocumentLanguage, LogoType } from '../../../../generated/prisma/enums.ts';

/** The branding of an environment's documents. */
export type Branding = {
  /** The version in `branding`: stored with the document, so that it can be rendered again. */
  readonly id: number | null;
  readonly language: DocumentLanguage;
  /** `#RRGGBB` as it was set; text in this colour is darkened until it is readable. */
  readonly accentColour: string | null;
  readonly logo: Logo | null;
};

/** An image that was checked when it was uploaded. Width and height give its aspect ratio, not its printed size. */
export type Logo = {
  readonly type: LogoType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
};

/** What a page needs of a branding: the logo is loaded from an address of its own. */
export type Look = Pick<Branding, 'id' | 'accentColour'> & {
  readonly logo: Omit<Logo, 'bytes'> | null;
};

/** The branding of an environment that has not set one. */
export const DEFAULT_BRANDING: Branding = { id: null, language: 'es', accentColour: null, logo: null };
