import type { Command } from 'commander';
import { distribute } from '../../ground/db/distribution/distribute.ts';
import { distributionFaults } from '../../ground/db/distribution/faults.ts';
import { singleClient } from '../../ground/db/reachable-client.ts';
import { arrangeRoles } from '../../ground/db/roles/arrange.ts';
import { migrationState } from '../../ground/db/server.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { addAuditEntry } from '../../ground/journal/audit-log.ts';
import { moveToStore } from '../../subjects/documents/move-to-store.ts';
import { ObjectStoreError, openObjectStore } from '../../subjects/documents/object-store.ts';
import { countPostgresDocuments } from '../../subjects/documents/store/read-places.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { CommandFailure } from './exit-status.ts';

export function database(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'database', 'the database and the roles that work in it');
  queryCommand(group, runtime, {
    name: 'migrate',
    description: 'migrates the database to this version, and grants the role of the service its rights',
    details:
      'Migrates the database to this version and grants the role of DATABASE_URL what the service needs, as the owner of DATABASE_OWNER_URL. Does nothing if that is done already. Run it before a new version starts if the service itself does not have the owner’s URL.',
    parameters: {},
    examples: [['Before a new version starts', 'database migrate']],
    // To open the database is to migrate it, for every process that may.
    run: ({ db }) => migrationState(db.pool),
  });
  changeCommand(group, runtime, {
    name: 'move-documents',
    description: 'moves PDFs from Postgres to the object store',
    details:
      'Moves PDFs from Postgres to the configured object store; DOCUMENTS=s3 is required, so that none are added meanwhile. The checksum of each is verified before it is sent and when it is read back; then its bytes are deleted from Postgres. Downloads continue. An interrupted run resumes when it is started again. Postgres reuses the space for other rows; only "vacuum full invoice_document" makes the file smaller, and locks the table meanwhile.',
    parameters: {},
    examples: [['Once DOCUMENTS=s3 is set', 'database move-documents --reason "the bucket is ready" --live']],
    async preview({ db }) {
      const { documents, bytes } = await countPostgresDocuments(db.pool);
      const effect = `move ${documents} documents of ${Math.ceil(bytes / 1e6)} MB to the object store`;
      return { live: documents > 0, effect };
    },
    async run(context, _values, by) {
      const { objectStore: config } = context.config;
      if (config === null || !config.storesNew)
        return new CommandFailure(
          'usage',
          'DOCUMENTS is not s3: no object store is configured for new documents',
        );
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
  distributeCommand(group, runtime);
}

function distributeCommand(group: Command, runtime: CliRuntime): void {
  changeCommand(group, runtime, {
    name: 'distribute',
    description: 'divides the database by environments among servers, with Citus',
    details:
      'Divides the database by environments among the workers of a Citus cluster, as the superuser of CITUS_DATABASE_URL, which is the coordinator’s. Refuses, with what to do, as long as something is missing, or a process of the service uses the database. A run that is broken off goes on where it was when it is started again. Back up first: there is no way back but the backup.',
    parameters: {},
    examples: [['With the service stopped', 'database distribute --reason "beyond one server" --live']],
    preview: async () => ({ live: true, effect: 'divide all tables among the workers of the cluster' }),
    async run(context, _values, by) {
      const { citusDatabaseUrl: url, databaseReadUrl } = context.config;
      if (url === null)
        return new CommandFailure(
          'usage',
          'CITUS_DATABASE_URL is not set: a superuser’s URL of the coordinator',
        );
      if (databaseReadUrl !== null)
        return new CommandFailure(
          'usage',
          'DATABASE_READ_URL is set: a divided database has no standby for reads',
        );
      const client = singleClient(url);
      const bar = context.progress('steps');
      try {
        await client.connect();
        const faults = await distributionFaults(client);
        if (faults.length > 0) return new CommandFailure('unavailable', faults.join('; '));
        await statementsOf('maintenance', () =>
          distribute(client, (done, total, what) => bar.show(done, total, what)),
        );
        // Citus makes views again, without what was granted on them.
        await arrangeRoles(client, context.db.pool.options.connectionString!);
      } finally {
        bar.end();
        await client.end();
      }
      await inTransaction(context.db.pool, (changing) =>
        addAuditEntry(changing, {
          ...{ actor: by.actor, reason: by.reason, environmentId: null },
          ...{ action: 'distribute_database', subject: 'database' },
        }),
      );
      return migrationState(context.db.pool);
    },
  });
}
