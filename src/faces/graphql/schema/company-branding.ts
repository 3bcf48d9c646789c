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
import { companyMeant, OWN_COMPANY } from '../environment.ts';
import { orRefuse } from '../errors.ts';
import { DocumentLanguageEnum } from './enums.ts';

const LogoTypeEnum = builder.enumType(LogoType, { name: 'LogoType' });

const CompanyLogo = builder.objectRef<Logo>('CompanyLogo').implement({
  fields: (t) => ({
    type: t.expose('type', { type: LogoTypeEnum }),
    width: t.exposeFloat('width', { description: 'In pixels, or in the units of the drawing.' }),
    height: t.exposeFloat('height'),
    content: t.string({
      description: 'What is printed, in base64: the uploaded picture without transparency and without notes.',
      resolve: ({ bytes }) => Buffer.from(bytes).toString('base64'),
    }),
  }),
});

const CompanyLook = builder.objectRef<Branding>('CompanyLook').implement({
  description: 'How the documents of a company look that are rendered from now on.',
  fields: (t) => ({
    language: t.expose('language', { type: DocumentLanguageEnum }),
    accentColour: t.exposeString('accentColour', {
      nullable: true,
      description: 'As `#RRGGBB`; null is our own colour.',
    }),
    textColour: t.string({
      description: 'What letters are printed in: the accent colour, darkened until it can be read.',
      resolve: (look) => accentOf(look).ink,
    }),
    logo: t.expose('logo', { type: CompanyLogo, nullable: true }),
  }),
});

builder.queryField('companyLook', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: CompanyLook,
    nullable: true,
    description: 'How the documents of a company look; null when there is no such company.',
    args: { companyId: t.arg.id({ description: OWN_COMPANY }) },
    resolve: (_root, { companyId }, context) =>
      companyBranding(context.services.db, companyMeant(context, companyId)),
  }),
);

builder.queryField('companyLookSample', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: 'String',
    nullable: true,
    description:
      'A test document of the company in its look, as PDF in base64; null when there is no such company.',
    args: { companyId: t.arg.id({ description: OWN_COMPANY }) },
    resolve: async (_root, { companyId }, context) => {
      const pdf = await brandingSample(context.services, companyMeant(context, companyId));
      return pdf?.toString('base64') ?? null;
    },
  }),
);

const LogoInput = builder.inputType('LogoInput', {
  fields: (t) => ({
    type: t.field({ type: LogoTypeEnum, required: true }),
    content: t.string({
      required: true,
      description: 'The file in base64: PNG and JPEG up to 256 KiB and 1,000,000 pixels, SVG up to 64 KiB.',
    }),
  }),
});

const SetCompanyLookInput = builder.inputType('SetCompanyLookInput', {
  description: 'What is left out stays as it is.',
  fields: (t) => ({
    companyId: t.id({ description: OWN_COMPANY }),
    language: t.field({ type: DocumentLanguageEnum }),
    accentColour: t.string({ description: 'As `#RRGGBB`; null goes back to our own colour.' }),
    logo: t.field({ type: LogoInput, description: 'Null takes the logo away.' }),
    reason: t.string({ required: true }),
  }),
});

builder.mutationField('setCompanyLook', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: CompanyLook,
    description:
      'Sets language, accent colour and logo of the documents to come. Documents that were rendered keep their look.',
    args: { input: t.arg({ type: SetCompanyLookInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { keyId } = context.caller;
      const companyId = companyMeant(context, input.companyId);
      const request = orRefuse(parseRequest(brandingRequest, { ...input, companyId }));
      return orRefuse(await setCompanyBranding(context.services, keyId, request));
    },
  }),
);
