import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Command } from 'commander';
import { DocumentLanguage } from '../../../generated/prisma/enums.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { Branding } from '../../subjects/documents/branding/branding.ts';
import { brandingOf, brandingSample, setBranding } from '../../subjects/documents/branding/set-branding.ts';
import { brandingRequest } from '../../subjects/documents/branding-request.ts';
import { accentOf } from '../../subjects/documents/layout/accent.ts';
import { createRenderer, type Renderer } from '../../subjects/documents/render.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { choiceOption, operand, optionalOption, requiredChoice, requiredOption } from './options.ts';
import { fileContent } from './secrets.ts';
import { environmentChange, resolveEnvironment } from './targets.ts';

/** Whose documents are meant; `environment` as everywhere, for the company before it. */
const BRANDED = {
  company: operand('the id of the company'),
  environment: requiredChoice(['test', 'live'], 'the environment whose documents are meant'),
};
const LANGUAGES = Object.values(DocumentLanguage);
/** Instead of a colour or a file: back to ours, or to no logo. */
const NONE = 'none';
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'png',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.svg': 'svg',
};

export function branding(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'look', 'the branding of an environment’s documents');
  queryCommand(group, runtime, {
    name: 'show',
    description: 'shows language, colour and logo of an environment’s documents',
    parameters: BRANDED,
    examples: [['The branding of live documents', 'look show $COMPANY --environment live']],
    async run(context, values) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      return shown((await brandingOf(context.db, environmentId))!);
    },
  });
  changeCommand(group, runtime, {
    name: 'set',
    description: 'sets language, colour and logo of future documents',
    details:
      'Sets language, colour and logo of an environment’s documents that are rendered from now on; omitted options remain unchanged. Documents already rendered keep their branding. A logo is a PNG or JPEG of at most 256 KiB and 1,000,000 pixels, or an SVG of at most 64 KiB.',
    parameters: {
      ...BRANDED,
      language: choiceOption(LANGUAGES, 'Spanish, English, Catalan, Galician, Basque'),
      accent: optionalOption('#RRGGBB', 'the colour of titles and lines; none for the default'),
      logo: optionalOption('path', 'a .png, .jpg or .svg file; none removes the logo'),
    },
    examples: [
      [
        'A company in Girona with its brand',
        'look set $COMPANY --environment live --language ca --accent "#B0002A" --logo logo.svg --reason "new brand" --live',
      ],
    ],
    preview: (context, values) =>
      environmentChange(context, values, 'change the branding of future documents'),
    async run(context, values, { actor, reason }) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const logo = values.logo === undefined ? undefined : logoFrom(values.logo);
      if (isRefusal(logo)) return logo;
      const request = parseRequest(brandingRequest, {
        language: values.language,
        accentColour: values.accent === NONE ? null : values.accent,
        logo,
        reason,
      });
      if (isRefusal(request)) return request;
      const { db } = context;
      const set = await rendering((renderer) => setBranding({ db, renderer }, actor, environmentId, request));
      return isRefusal(set) ? set : shown(set);
    },
  });
  queryCommand(group, runtime, {
    name: 'sample',
    description: 'writes a sample document with an environment’s branding',
    parameters: { ...BRANDED, out: requiredOption('path', 'where the PDF is written') },
    examples: [['To show it to the company', 'look sample $COMPANY --environment live --out sample.pdf']],
    async run(context, { out, ...values }) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const { db } = context;
      const pdf = (await rendering((renderer) => brandingSample({ db, renderer }, environmentId)))!;
      try {
        writeFileSync(out, pdf);
      } catch (error) {
        return invalidField('out', 'not_writable', `cannot be written: ${(error as Error).message}`);
      }
      return { ...values, file: out, bytes: pdf.length };
    },
  });
}

function shown({ language, accentColour, logo, ...rest }: Branding): object {
  const picture = logo && {
    type: logo.type,
    width: logo.width,
    height: logo.height,
    bytes: logo.bytes.length,
  };
  return { language, accentColour, textColour: accentOf({ accentColour, ...rest }).ink, logo: picture };
}

function logoFrom(path: string): Outcome<{ type: string; content: string } | null> {
  if (path === NONE) return null;
  const type = TYPES[extname(path).toLowerCase()];
  if (type === undefined) return invalidField('logo', 'invalid_value', 'must be a .png, .jpg or .svg file');
  const content = fileContent(path, 'logo');
  return isRefusal(content) ? content : { type, content: content.toString('base64') };
}

/** With a rendering thread for as long as it is needed. */
async function rendering<T>(work: (renderer: Renderer) => Promise<T>): Promise<T> {
  const renderer = createRenderer({ threads: 1 });
  try {
    return await work(renderer);
  } finally {
    await renderer.stop();
  }
}
