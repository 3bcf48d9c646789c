import { z } from 'zod';
import { EnvironmentKind, LogoType } from '../../../../generated/prisma/enums.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { invalidField } from '../../../ground/errors/refusal.ts';
import { id, optional } from '../../../ground/lib/request-fields.ts';
import type { Branding, Logo } from '../../../subjects/documents/branding/branding.ts';
import {
  brandingOf,
  brandingSample,
  setBranding,
} from '../../../subjects/documents/branding/set-branding.ts';
import { brandingRequest } from '../../../subjects/documents/branding-request.ts';
import { accentOf } from '../../../subjects/documents/layout/accent.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { brandedEnvironment, type OfEnvironment, OWN_COMPANY } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { DocumentLanguageEnum, EnvironmentEnum } from './enums.ts';
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

export const CompanyBranding = builder.objectRef<OfEnvironment<Branding>>('CompanyBranding').implement({
  interfaces: [Node],
  description: 'The branding of an environment’s documents that are rendered from now on.',
  fields: (t) => ({
    id: t.id({
      description: 'The id: `brd_` and the number of the environment.',
      resolve: ({ environmentId }) => `brd_${environmentId}`,
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

/** The branding as it is; null when there is no such environment. */
export async function shownBranding(
  { services }: Pick<Context, 'services'>,
  environmentId: number,
): Promise<OfEnvironment<Branding> | null> {
  const branding = await brandingOf(services.db, environmentId);
  return branding === null ? null : { ...branding, environmentId };
}

const brandedArguments = builder.args((t) => ({
  companyId: t.id({ description: OWN_COMPANY }),
  environment: t.field({
    type: EnvironmentEnum,
    description: 'The environment; required with an operator’s key, default: the key’s own.',
  }),
}));

builder.queryFields((t) => ({
  companyBranding: t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: CompanyBranding,
    nullable: true,
    description: 'The branding of an environment’s documents; null if the company does not exist.',
    args: brandedArguments,
    resolve: async (_root, args, context) => {
      const environmentId = await brandedEnvironment(context, args);
      return environmentId === null ? null : shownBranding(context, environmentId);
    },
  }),
  companyBrandingSample: t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: 'String',
    nullable: true,
    description:
      'A test document of the company with the environment’s branding, as a PDF in base64; null if the company does not exist.',
    args: brandedArguments,
    resolve: async (_root, args, context) => {
      const environmentId = await brandedEnvironment(context, args);
      const pdf = environmentId === null ? null : await brandingSample(context.services, environmentId);
      return pdf?.toString('base64') ?? null;
    },
  }),
}));

const SetCompanyBrandingInput = inputType(
  z
    .strictObject({
      companyId: optional(id).describe(OWN_COMPANY),
      environment: optional(z.enum(EnvironmentKind)).describe(
        'The environment; required with an operator’s key, default: the key’s own.',
      ),
      ...brandingRequest.shape,
    })
    .describe('Omitted fields stay unchanged.'),
  'SetCompanyBrandingInput',
);

builder.mutationField('setCompanyBranding', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: CompanyBranding,
    description:
      'Sets the language, accent colour and logo of an environment’s future documents. Documents already rendered do not change, nor do those of the other environment.',
    args: { input: t.arg({ type: SetCompanyBrandingInput, required: true }) },
    resolve: async (_root, { input: { companyId, environment, ...sent } }, context) => {
      const { keyId } = context.caller;
      const request = valueOrThrow(parseRequest(brandingRequest, sent));
      const found = await brandedEnvironment(context, { companyId, environment });
      const unknown = () => invalidField('companyId', 'not_found', 'there is no such company');
      const environmentId = valueOrThrow<number>(found ?? unknown());
      const branding = valueOrThrow(await setBranding(context.services, keyId, environmentId, request));
      return { ...branding, environmentId };
    },
  }),
);
