import type pg from 'pg';

/** What the database says of the server on which it was examined last, and of an examination that goes on. */
export type LineageRow = {
  readonly identity: string;
  /** What the server is. */
  readonly server: string;
  readonly synchronous: boolean;
  readonly examining: string | null;
  readonly since: Date | null;
  /** Changes with each update of the row. */
  readonly version: string;
};

/** A server that is whatever a test says: promotions without a second Postgres. */
export type NamedServer = {
  /** A standby of it took over. */
  promote(): Promise<void>;
  /** The server before answers again, which knows of no other. */
  demote(): Promise<void>;
  /** Whether commits wait for a standby. */
  setSynchronous(synchronous: boolean): Promise<void>;
  lineage(): Promise<LineageRow>;
};

const IDENTITY = `'7/' || lpad(to_hex(server.timeline), 8, '0') || '/1'`;

/** Has the database of its owner take its server's identity from a table. */
export async function namedServer(owner: pg.Pool): Promise<NamedServer> {
  await owner.query(`
    create table server (timeline int not null, synchronous boolean not null);
    insert into server values (1, true);
    grant select on server to public;
    create or replace function lineage_now(OUT identity text, OUT recorded text, OUT synchronous boolean)
    language plpgsql stable as $$
    begin
      select lineage.identity into recorded from database_lineage lineage where lineage.id = 1;
      select ${IDENTITY}, server.synchronous into identity, synchronous from server;
    end $$`);
  return {
    async promote() {
      await owner.query('update server set timeline = timeline + 1');
    },
    async demote() {
      await owner.query('update server set timeline = timeline - 1');
      await owner.query(`update database_lineage set identity = ${IDENTITY} from server`);
    },
    async setSynchronous(synchronous) {
      await owner.query('update server set synchronous = $1', [synchronous]);
    },
    async lineage() {
      const { rows } = await owner.query<LineageRow>(
        `select identity, ${IDENTITY} as server, lineage.synchronous, examining, examined_since as since,
                lineage.xmin::text as version
           from database_lineage lineage, server`,
      );
      return rows[0]!;
    },
  };
}
