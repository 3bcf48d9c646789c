import type pg from 'pg';

/** Something that runs one statement: the pool, or a connection within a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;
