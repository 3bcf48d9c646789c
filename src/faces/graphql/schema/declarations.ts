import { allDeclarations, currentDeclaration } from '../../../subjects/declaration/current-declaration.ts';
import type { Declaration } from '../../../subjects/declaration/declaration.ts';
import { builder } from '../builder.ts';

const DeclarationType = builder.objectRef<Declaration>('SoftwareDeclaration').implement({
  description: 'The producer’s declaration for a version (RD 1007/2023 art. 13), stored permanently.',
  fields: (t) => ({
    version: t.exposeString('version'),
    sha256: t.exposeString('sha256'),
    text: t.exposeString('text', {
      description: 'The text in Spanish; paragraphs are separated by blank lines.',
    }),
    firstRunAt: t.expose('firstRunAt', { type: 'DateTime', description: 'When it was signed.' }),
  }),
});

/** One is added with a version of the service. */
const MOST = 100;

builder.queryField('declarations', (t) =>
  t.withAuth({ role: 'viewer' }).field({
    type: [DeclarationType],
    complexity: { multiplier: MOST },
    description:
      'The producer’s declarations: the one in force first, then the earlier ones, newest first; at most 100.',
    resolve: async (_root, _args, context) => {
      const { db, config } = context.services;
      const current = await currentDeclaration(db, config);
      const earlier = (await allDeclarations(db)).filter(({ sha256 }) => sha256 !== current.sha256);
      return [current, ...earlier].slice(0, MOST);
    },
  }),
);
