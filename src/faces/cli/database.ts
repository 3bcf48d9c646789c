import type { Command } from 'commander';
import { migrationState } from '../../ground/db/server.ts';
import { moveToStore } from '../../subjects/documents/move-to-store.ts';
import { ObjectStoreError, openObjectStore } from '../../subjects/documents/object-store.ts';
import { keptInPostgres } from '../../subjects/documents/store/read-places.ts';
import { type CliRuntime, changeCommand, commandGroup, queryCommand } from './command.ts';
import { CommandFailure } from './exit-status.ts';

export function database(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'database', 'the database and the roles that work in it');
  queryCommand(group, runtime, {
    name: 'migrate',
    description: 'brings the database to this version, and the role of the service to its rights',
    details:
      'Brings the database to this version and gives the role of DATABASE_URL what the service needs, as the owner of DATABASE_OWNER_URL. Does nothing where that is done. To be run before a new version starts where the service itself is not given the owner.',
    parameters: {},
    examples: [['Before a new version starts', 'database migrate']],
    // To open the database is to migrate it, for every process that may.
    run: ({ db }) => migrationState(db.pool),
  });
  changeCommand(group, runtime, {
    name: 'move-documents',
    description: 'moves the PDFs that Postgres keeps to the object store',
    details:
      'Moves the PDFs that Postgres keeps to the object store of the settings, which must have DOCUMENTS=s3, so that none are added meanwhile. Each is held against its checksum before it leaves and again as the store gives it back; then Postgres gives up its bytes. Downloads go on. A run that broke off goes on where it stopped when it is started again. What Postgres gave up it uses again for other rows; only "vacuum full invoice_document" makes the file smaller, and locks the table for as long as it takes.',
    parameters: {},
    examples: [
      ['Once DOCUMENTS=s3 is in force', 'database move-documents --reason "the bucket is there" --live'],
    ],
    async preview({ db }) {
      const { documents, bytes } = await keptInPostgres(db.pool);
      const effect = `move ${documents} documents of ${Math.ceil(bytes / 1e6)} MB to the object store`;
      return { live: documents > 0, effect };
    },
    async run(context, _given, by) {
      const { objectStore: config } = context.config;
      if (config === null || !config.takesNew)
        return new CommandFailure('usage', 'DOCUMENTS is not s3: there is nowhere to move documents to');
      const store = openObjectStore(config);
      const bar = context.progress('documents');
      try {
        return await moveToStore({ db: context.db, store }, by, (done, documents, { bytes }) =>
          bar.show(done, documents, `${Math.floor(bytes / 1e6)} MB moved`),
        );
      } catch (error) {
        if (error instanceof ObjectStoreError) return new CommandFailure('unavailable', error.message);
        throw error;
      } finally {
        bar.end();
        store.close();
      }
    },
  });
}
