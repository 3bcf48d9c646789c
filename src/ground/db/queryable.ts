import type pg from 'pg';

/** Something that runs one statement: the pool, or a connection in the middle of a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;
