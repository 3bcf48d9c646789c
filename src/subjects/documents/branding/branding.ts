import type { DocumentLanguage, LogoType } from '../../../../generated/prisma/enums.ts';

/** How a company wants its documents. */
export type Branding = {
  /** Of `company_look`: noted with the document, so that it can be made again. */
  readonly id: number | null;
  readonly language: DocumentLanguage;
  /** `#RRGGBB`, as the company has it; what is printed in it is made readable. */
  readonly accentColour: string | null;
  readonly logo: Logo | null;
};

/** A picture that was looked through when it was accepted. Width and height say its shape, not its size on paper. */
export type Logo = {
  readonly type: LogoType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
};

/** What a company has that never set anything. */
export const DEFAULT_BRANDING: Branding = { id: null, language: 'es', accentColour: null, logo: null };
