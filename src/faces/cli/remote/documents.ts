import { LacreError } from '@lacre/client';
import type { Command } from 'commander';
import { z } from 'zod';
import { invalidField, isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { hashOfDocument } from '../../../subjects/accounts/hash-of-document.ts';
import { ACCOUNT_LIMITS } from '../../../subjects/accounts/limits.ts';
import { type CliRuntime, commandGroup, standaloneCommand } from '../command.ts';
import { choiceOperand, operand } from '../options.ts';
import { fileContent } from '../secrets.ts';
import { queryGraphql } from './graphql.ts';
import { PROFILE } from './login.ts';
import { type Profile, remoteOf } from './profiles.ts';

const PUBLISH = `mutation ($documents: [String!]!) {
  publishDocuments(documents: $documents, reason: "lacre documents publish") { count publishedAt only }
}`;
const REQUIRE = `mutation ($only: Boolean!) {
  requireTrustedDocuments(only: $only, reason: "lacre documents require") { count publishedAt only }
}`;
const SHOW = '{ trustedDocuments { count publishedAt only } }';

/** Documents that front ends publish. They work over GraphQL with the key of a login, as builds of front ends do. */
export function documents(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'documents', 'GraphQL documents that browsers query by hash');
  standaloneCommand(group, runtime, {
    name: 'publish',
    description: 'publishes the documents of a front end',
    details:
      'Publishes the documents of a manifest for the environment of a login: Apollo’s format, or an object of hashes and texts as relay-compiler, the client preset and gql.tada write it. Each hash must be the SHA-256 of its text. Documents published before remain.',
    parameters: { ...PROFILE, manifest: operand('the file') },
    examples: [['Before the front end itself is deployed', 'documents publish persisted-documents.json']],
    async run({ profiles }, { profile: profileName, manifest }) {
      const { profile } = remoteOf(profiles, profileName);
      const documents = readManifest(manifest);
      if (isRefusal(documents)) return documents;
      let summary = {};
      for (let at = 0; at < documents.length; at += ACCOUNT_LIMITS.publishedAtOnce.value) {
        const published = await publish(
          profile,
          documents.slice(at, at + ACCOUNT_LIMITS.publishedAtOnce.value),
        );
        if (isRefusal(published)) return published;
        summary = published;
      }
      return { published: documents.length, ...summary };
    },
  });
  standaloneCommand(group, runtime, {
    name: 'require',
    description: 'sets whether browsers can only query published documents',
    details:
      'Sets whether access tokens of a login’s environment can only query published documents, from the next request on. Keys are not affected.',
    parameters: { ...PROFILE, only: choiceOperand(['on', 'off'], 'whether they can') },
    examples: [['Once all front ends use published documents', 'documents require on']],
    async run({ profiles }, { profile, only }) {
      const answer = await queryGraphql<{ requireTrustedDocuments: object }>(
        remoteOf(profiles, profile).profile,
        REQUIRE,
        { only: only === 'on' },
      );
      return answer.requireTrustedDocuments;
    },
  });
  standaloneCommand(group, runtime, {
    name: 'show',
    description: 'shows the number of published documents, and whether browsers can query others',
    parameters: { ...PROFILE },
    examples: [['The documents of the current login', 'documents show']],
    async run({ profiles }, { profile }) {
      const remote = remoteOf(profiles, profile);
      return (await queryGraphql<{ trustedDocuments: object }>(remote.profile, SHOW)).trustedDocuments;
    },
  });
}

type Document = readonly [hash: string, text: string];

const IN_REQUEST = /^documents\[(\d+)\]$/;

/** Publishes some documents of a manifest; one that is refused is named by its hash there. */
async function publish(profile: Profile, documents: readonly Document[]): Promise<Outcome<object>> {
  try {
    const texts = documents.map(([, text]) => text);
    return (await queryGraphql<{ publishDocuments: object }>(profile, PUBLISH, { documents: texts }))
      .publishDocuments;
  } catch (error) {
    const [issue] = error instanceof LacreError ? error.errors : [];
    const hash = documents[Number(IN_REQUEST.exec(issue?.field ?? '')?.[1])]?.[0];
    if (issue === undefined || hash === undefined) throw error;
    const message = `has a document that cannot be published, ${hash}: ${issue.message}`;
    return invalidField('manifest', 'invalid_format', message);
  }
}

/** Of Apollo's manifest what is needed; and hashes with texts, which is what the others write. */
const manifestShape = z.union([
  z
    .object({
      format: z.literal('apollo-persisted-query-manifest'),
      version: z.literal(1),
      operations: z.array(z.object({ id: z.string(), body: z.string() })),
    })
    .transform(({ operations }) => operations.map(({ id, body }) => [id, body] as const)),
  z.record(z.string(), z.string()).transform((byHash) => Object.entries(byHash)),
]);

/** The documents of a manifest; each matches its hash. */
function readManifest(path: string): Outcome<readonly Document[]> {
  const content = fileContent(path, 'manifest');
  if (isRefusal(content)) return content;
  const wrong = (message: string) => invalidField('manifest', 'invalid_format', message);
  let json: unknown;
  try {
    json = JSON.parse(content.toString('utf8'));
  } catch (error) {
    return wrong(`must be JSON: ${(error as Error).message}`);
  }
  const manifest = manifestShape.safeParse(json);
  if (!manifest.success)
    return wrong('must be a manifest of Apollo’s format, or an object of hashes and texts');
  const other = manifest.data.find(([id, text]) => id.replace(/^sha256:/, '') !== hashOfDocument(text));
  if (other !== undefined)
    return wrong(`has a document whose hash is not the SHA-256 of its text: ${other[0]}`);
  return manifest.data;
}
