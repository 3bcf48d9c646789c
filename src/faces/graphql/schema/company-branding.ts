import { LogoType } from '../../../../generated/prisma/enums.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import type { Branding, Logo } from '../../../subjects/documents/branding/branding.ts';
import {
  brandingRequest,
  brandingSample,
  companyBranding,
  setCompanyBranding,
} from '../../../subjects/documents/branding/set-branding.ts';
import { accentOf } from '../../../subjects/documents/layout/accent.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { companyFromArguments, OWN_COMPANY } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { DocumentLanguageEnum } from './enums.ts';
import { Node } from './node-interface.ts';

const LogoTypeEnum = builder.enumType(LogoType, { name: 'LogoType' });

const CompanyLogo = builder.objectRef<Logo>('CompanyLogo').implement({
  fields: (t) => ({
    type: t.expose('type', { type: LogoTypeEnum }),
    width: t.exposeFloat('width', { description: 'The width in pixels, or in the units of an SVG drawing.' }),
    height: t.exposeFloat('height'),
    content: t.string({
      description: 'The printed image in base64: the uploaded image without transparency and metadata.',
      resolve: ({ bytes }) => Buffer.from(bytes).toString('base64'),
    }),
  }),
});

type OfCompany = Branding & { readonly companyId: string };

export const CompanyBranding = builder.objectRef<OfCompany>('CompanyBranding').implement({
  interfaces: [Node],
  description: 'The branding of documents that a company renders from now on.',
  fields: (t) => ({
    id: t.id({
      description: 'The id: `brd_` and the id of the company.',
      resolve: ({ companyId }) => `brd_${companyId}`,
    }),
    language: t.expose('language', { type: DocumentLanguageEnum }),
    accentColour: t.exposeString('accentColour', {
      nullable: true,
      description: 'The accent colour as `#RRGGBB`; null for the default colour.',
    }),
    textColour: t.string({
      description: 'The colour of printed text: the accent colour, darkened until it is legible.',
      resolve: (branding) => accentOf(branding).ink,
    }),
    logo: t.expose('logo', { type: CompanyLogo, nullable: true }),
  }),
});

/** The branding as it is; null when there is no such company. */
export async function shownBranding(
  { services }: Pick<Context, 'services'>,
  companyId: string,
): Promise<OfCompany | null> {
  const branding = await companyBranding(services.db, companyId);
  return branding === null ? null : { ...branding, companyId };
}

builder.queryFields((t) => {
  const branding = (deprecated: { deprecationReason?: string } = {}) =>
    t.withAuth({ scope: 'read', role: 'viewer' }).field({
      type: CompanyBranding,
      nullable: true,
      description: 'The branding of a company’s documents; null if the company does not exist.',
      ...deprecated,
      args: { companyId: t.arg.id({ description: OWN_COMPANY }) },
      resolve: (_root, { companyId }, context) =>
        shownBranding(context, companyFromArguments(context, companyId)),
    });
  const sample = (deprecated: { deprecationReason?: string } = {}) =>
    t.withAuth({ scope: 'read', role: 'viewer' }).field({
      type: 'String',
      nullable: true,
      description:
        'A test document of the company with its branding, as a PDF in base64; null if the company does not exist.',
      ...deprecated,
      args: { companyId: t.arg.id({ description: OWN_COMPANY }) },
      resolve: async (_root, { companyId }, context) => {
        const pdf = await brandingSample(context.services, companyFromArguments(context, companyId));
        return pdf?.toString('base64') ?? null;
      },
    });
  return {
    companyBranding: branding(),
    companyBrandingSample: sample(),
    companyLook: branding({ deprecationReason: 'Use `companyBranding`.' }),
    companyLookSample: sample({ deprecationReason: 'Use `companyBrandingSample`.' }),
  };
});

const LogoInput = builder.inputType('LogoInput', {
  fields: (t) => ({
    type: t.field({ type: LogoTypeEnum, required: true }),
    content: t.string({
      required: true,
      description: 'The file in base64: PNG and JPEG up to 256 KiB and 1,000,000 pixels, SVG up to 64 KiB.',
    }),
  }),
});

const setInput = (name: string) =>
  builder.inputType(name, {
    description: 'Omitted fields stay unchanged.',
    fields: (t) => ({
      companyId: t.id({ description: OWN_COMPANY }),
      language: t.field({ type: DocumentLanguageEnum, description: 'The language of documents.' }),
      accentColour: t.string({
        description: 'The accent colour as `#RRGGBB`; null restores the default colour.',
      }),
      logo: t.field({ type: LogoInput, description: 'The logo; null removes it.' }),
      reason: t.string({ required: true }),
    }),
  });

const SetCompanyBrandingInput = setInput('SetCompanyBrandingInput');
const SetCompanyLookInput = setInput('SetCompanyLookInput');

builder.mutationFields((t) => {
  const set = (type: typeof SetCompanyBrandingInput, deprecated: { deprecationReason?: string } = {}) =>
    t.withAuth({ scope: 'manage', role: 'operator' }).field({
      type: CompanyBranding,
      description:
        'Sets the language, accent colour and logo of future documents. Documents already rendered do not change.',
      ...deprecated,
      args: { input: t.arg({ type, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { keyId } = context.caller;
        const companyId = companyFromArguments(context, input.companyId);
        const request = valueOrThrow(parseRequest(brandingRequest, { ...input, companyId }));
        const branding = valueOrThrow(await setCompanyBranding(context.services, keyId, request));
        return { ...branding, companyId };
      },
    });
  return {
    setCompanyBranding: set(SetCompanyBrandingInput),
    setCompanyLook: set(SetCompanyLookInput, { deprecationReason: 'Use `setCompanyBranding`.' }),
  };
});
