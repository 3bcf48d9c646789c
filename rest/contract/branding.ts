import { z } from 'zod';
import { LogoType } from '../../generated/prisma/enums.ts';
import { brandingChange } from '../../src/subjects/documents/branding-request.ts';
import { DOCUMENT_LANGUAGES } from '../../src/subjects/extensions/types.ts';
import { nullableText, oneOf, text } from '../schema-parts.ts';
import { operations } from './operation.ts';

const logo = z
  .strictObject({
    type: oneOf(Object.values(LogoType)).describe('The image format.'),
    width: z.number().describe('The width in pixels, or in the units of an SVG drawing.'),
    height: z.number().describe('The height in the same.'),
    content: text.describe(
      'The printed image in base64: the uploaded one without transparency and metadata.',
    ),
  })
  .meta({ id: 'Logo' });

const branding = z
  .strictObject({
    language: oneOf(DOCUMENT_LANGUAGES).describe('The language of documents.'),
    accent_colour: nullableText.describe('The accent colour as `#RRGGBB`; null for the default colour.'),
    text_colour: text.describe(
      'The colour of printed text: the accent colour, darkened until it is legible.',
    ),
    logo: logo.nullable().describe('The logo printed at the top; null without one.'),
  })
  .meta({ id: 'Branding' });

const example = { language: 'es', accent_colour: '#17365C', text_colour: '#17365C', logo: null };
const answer = { status: 200, description: 'The branding', schema: branding, example } as const;

/** What the audit log says of a change for which no reason was given. */
const REASON = 'changed over REST';

export const brandingOperations = operations('Branding', [
  {
    id: 'retrieveBranding',
    method: 'GET',
    path: '/v1/branding',
    field: 'companyBranding',
    summary: 'Read the branding',
    description:
      'The branding of the documents of the key’s environment that are rendered from now on. Needs the scope `read`.',
    answer,
  },
  {
    id: 'updateBranding',
    method: 'PATCH',
    path: '/v1/branding',
    field: 'setCompanyBranding',
    summary: 'Change the branding',
    description:
      'That of the key’s environment: documents already rendered do not change, nor does the other environment. A field that is not sent stays. Needs the scope `manage`.',
    body: {
      schema: brandingChange,
      read: (body) =>
        typeof body === 'object' && body !== null && !Array.isArray(body)
          ? { ...body, reason: (body as { reason?: unknown }).reason ?? REASON }
          : body,
      examples: {
        colour: { summary: 'Colour and language', value: { accent_colour: '#17365c', language: 'ca' } },
        plain: { summary: 'No logo any more', value: { logo: null } },
      },
    },
    answer,
  },
]);
