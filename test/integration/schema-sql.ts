import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

/** Node has it; neither its types nor ours without the browser's do. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<{ exports: Record<string, unknown> }>;
};

/** The SQL that would create `schema.prisma` in an empty database, as Prisma's own engine writes it. */
export async function sqlOfPrismaSchema(databaseUrl: string): Promise<string> {
  const directory = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const engine = await import(join(directory, 'schema_engine_bg.js'));
  const wasm = await WebAssembly.compile(await readFile(join(directory, 'schema_engine_bg.wasm')));
  const instance = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  const schema = await readFile(new URL('../../schema.prisma', import.meta.url), 'utf8');
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  const schemaEngine = await engine.SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => {},
    adapter,
  );
  const { stdout } = await schemaEngine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout;
}
