import { z } from 'zod';
import { DocumentLanguage, LogoType } from '../../../generated/prisma/enums.ts';
import { line } from '../../ground/lib/text.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const logo = z
  .strictObject({
    type: z.enum(LogoType).describe('The image format.'),
    content: z
      .string()
      .refine((text) => text !== '' && text.length % 4 === 0 && BASE64.test(text), 'must be base64')
      .transform((text) => Buffer.from(text, 'base64'))
      .describe('The file in base64: PNG and JPEG up to 256 KiB and 1,000,000 pixels, SVG up to 64 KiB.'),
  })
  .meta({ id: 'LogoInput', description: 'An uploaded image.' });

/**
 * The input for setting a branding. A field that is left out stays unchanged; `null` restores the default colour,
 * or removes the logo. `logo.content` is the file in base64: the largest one fits into a request of 1 MiB.
 */
export const brandingRequest = z.strictObject({
  language: z.enum(DocumentLanguage).nullish().describe('The language of documents.'),
  accentColour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'six hexadecimal digits after #, like #17365C')
    .transform((colour) => colour.toUpperCase())
    .nullish()
    .describe('The accent colour as `#RRGGBB`; null restores the default colour.'),
  logo: logo.nullish().describe('The logo; null removes it.'),
  reason: line(500).describe('The reason; kept in the audit log.'),
});

export type BrandingRequest = z.output<typeof brandingRequest>;

/** The same over REST, where the reason may be left out. */
export const brandingChange = z
  .strictObject({ ...brandingRequest.shape, reason: brandingRequest.shape.reason.optional() })
  .meta({ id: 'BrandingChange' });
