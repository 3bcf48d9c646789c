import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

type Source = { readonly file: string; readonly text: string };

function sources(...folders: string[]): Source[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((file) => /\.(ts|mjs)$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
}

const LONGEST = 400;

test(`no file has more than ${LONGEST} lines`, () => {
  const files = sources('src', 'rest', 'jobs', 'packages/reader', 'test');
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter(({ text }) => text.split('\n').length > LONGEST + 1).map(({ file }) => file)).toEqual(
    [],
  );
});

/** What may stand only in certain places: the pattern, an example of it, and where it may stand. */
const confined: { what: string; pattern: RegExp; example: string; allowed: RegExp }[] = [
  {
    what: 'the environment is read in config.ts alone',
    pattern: /\bprocess\.env\b|\bprocess\[.env.\]|import .*\benv\b.* from 'node:process'/,
    example: 'const port = process.env.PORT;',
    allowed: /^src\/(ground\/config\/config\.ts|bootstrap\.mjs)$/,
  },
  {
    what: 'only start-up and the command line speak to the console',
    pattern: /\bconsole\.\w+\(/,
    example: "console.log('here')",
    allowed:
      /^src\/(bootstrap\.mjs|main\.ts|agency-simulator\/main\.ts|faces\/cli\/.+\.ts)$|^jobs\/main\.ts$/,
  },
  {
    what: 'the time is asked of the clock alone',
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    example: 'const now = new Date();',
    // Ids carry the machine's time, as the library that makes them would read it: it only puts them in order.
    allowed: /^src\/(ground\/lib\/(clock|ids)\.ts|bootstrap\.mjs|agency-simulator\/.+)$/,
  },
  {
    what: 'the SDK of the object store is loaded only by who keeps documents there',
    pattern: /^import (?!type)[^;]*from '@aws-sdk/m,
    example: "import { S3Client } from '@aws-sdk/client-s3';",
    allowed: /^$/,
  },
  {
    what: 'OpenTelemetry is loaded by who turns it on, and by nobody else',
    pattern: /^import (?!type ).* from '@opentelemetry|\bimport\('@opentelemetry/m,
    example: "import { trace } from '@opentelemetry/api';",
    allowed: /^src\/startup\/tracing\.ts$/,
  },
  {
    // What the types of others do not tell: of pg's connections and its answers to several statements, of node-forge,
    // pdfkit, fontkit and svg-to-pdfkit, of Node's sockets, of Yoga's plugins, of Fastify's error handler, and of
    // Prisma's models by their names.
    what: 'a type is forced only where the types of a library are wrong or say too little',
    pattern: /[^\w ] as never\b|\) as never\b|\w+ as never\)|\bas unknown as\b|\bas any\b/,
    example: 'const row = found as unknown as Row;',
    allowed:
      /^src\/(ground\/db\/(break-connection|pooler|condition\/write-state)|agency-simulator\/tls|subjects\/(certificates\/der|documents\/(layout\/(sheet|font-families)|branding\/colour))|faces\/graphql\/(document-bounds|input-type|output-type|prisma-row|sent-type|query-cache|server|trusted|live\/subscribe))\.ts$|^rest\/server\.ts$/,
  },
  {
    what: 'a function of a subject says what of the database it uses',
    pattern: /: Db\b(?!\[)/,
    example: 'export function read(db: Db): Promise<void>',
    allowed: /^src\/(faces|startup|ground\/db\/(client|standby\/standby)\.ts|services\.ts)|^(rest|jobs)\//,
  },
  {
    // Those that start the process, its servers, its job runner or a command, those that add the routes of pages, and the
    // context of GraphQL, whose resolvers reach every subject.
    what: 'only what assembles a process receives everything that it works with',
    pattern: /(?:(?<!\bPick)<|[:|&=(]|,(?=\s*Services\b(?! \})))\s*Services\b(?!\[)/,
    example: 'export function emailHandlers(services: Services): Handlers {',
    allowed:
      /^src\/(startup\/(assemble|http-server)|faces\/(graphql\/(context|server)|(console|portal)\/routes|cli\/with-services))\.ts$|^rest\/(server|router|graphql)\.ts$|^jobs\/runner\.ts$/,
  },
  {
    what: 'a thread is started where its limits of memory are made to hold',
    pattern: /\bnew Worker\(/,
    example: 'new Worker(script, { resourceLimits });',
    allowed: /^src\/ground\/lib\/start-thread\.ts$/,
  },
  {
    what: 'a connection to the database is opened where its waits are limited',
    pattern: /\b(new|extends) pg\.(Client|Pool)\b(?![\s\S]{0,300}Client: ReachableClient)/,
    example: 'const client = new pg.Client(url);',
    // `clientOf` and `SharedPool` of client.ts pass on what reachable-client.ts defines.
    allowed: /^src\/ground\/db\/(reachable-client|client)\.ts$/,
  },
  {
    what: 'documents of our own are executed by one function, for REST, portal and console alike',
    pattern: /import \{[^}]*\b(execute|graphql|graphqlSync)\b[^}]*\} from 'graphql'|\bcompiledDocument\b/,
    example: "import { execute, parse } from 'graphql';",
    // `stored` is the function; subscriptions of callers and plans execute what came from outside.
    allowed: /^src\/faces\/graphql\/(stored|execute|live\/subscribe)\.ts$/,
  },
  {
    what: 'no file re-exports what others hold',
    pattern: /^export \* from|^export (type )?\{[^}]*\} from/m,
    example: "export * from './other.ts';",
    allowed: /^$/,
  },
];

describe.each(confined)('$what', ({ pattern, example, allowed }) => {
  test('so it is', () => {
    const found = sources('src', 'rest', 'jobs').filter(({ text }) => pattern.test(text));
    expect(found.map(({ file }) => file).filter((file) => !allowed.test(file))).toEqual([]);
  });

  test('and a violation would be detected', () => expect(example).toMatch(pattern));
});

test('a logger of the tests writes where the end of the run looks for what must not be logged', () => {
  const exempt =
    /^test\/(bench\/|attack\/|simulation\/main\.ts|support\/processes\/(run-log|global-setup)\.ts)/;
  const making = sources('test').filter(({ text }) =>
    /\bpino\(/.test(text.replaceAll(/'[^'\n]*'|\/.*\/\./g, '')),
  );
  expect(making.length).toBeGreaterThan(0);
  expect(making.map(({ file }) => file).filter((file) => !exempt.test(file))).toEqual([]);
});
