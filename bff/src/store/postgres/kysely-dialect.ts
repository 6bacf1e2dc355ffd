import { PostgresAdapter, PostgresDialect } from 'kysely';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { StorageError } from '../statement.ts';
import { isBroken, storageError } from './fault.ts';

/** Kysely on our pool, for Better Auth. Errors are StorageErrors. `onCommit` is called after each use of a connection. */
export function createDialect(options: { pool: Pool; onCommit: () => Promise<void> }): PostgresDialect {
  return new PoolDialect(options);
}

class PoolDialect extends PostgresDialect {
  readonly #options: { pool: Pool; onCommit: () => Promise<void> };
  constructor(options: { pool: Pool; onCommit: () => Promise<void> }) {
    super(options);
    this.#options = options;
  }
  override createDriver(): Driver {
    return new PoolDriver(this.#options.pool, this.#options.onCommit);
  }
  override createAdapter() {
    return new PostgresAdapter();
  }
}

class PoolDriver implements Driver {
  readonly #pool: Pool;
  readonly #onCommit: () => Promise<void>;
  constructor(pool: Pool, onCommit: () => Promise<void>) {
    this.#pool = pool;
    this.#onCommit = onCommit;
  }
  async init() {}
  async acquireConnection() {
    try {
      return new PoolConnection(await this.#pool.connect());
    } catch (error) {
      throw storageError(error);
    }
  }
  beginTransaction = (connection: DatabaseConnection) => (connection as PoolConnection).run('BEGIN');
  commitTransaction = (connection: DatabaseConnection) => (connection as PoolConnection).run('COMMIT');
  rollbackTransaction = (connection: DatabaseConnection) => (connection as PoolConnection).run('ROLLBACK');
  async releaseConnection(connection: DatabaseConnection) {
    (connection as PoolConnection).release();
    await this.#onCommit();
  }
  async destroy() {}
}

class PoolConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  #broken: Error | undefined;
  constructor(client: PoolClient) {
    this.#client = client;
  }
  async executeQuery<R>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<R>> {
    try {
      const { rows, rowCount } = await this.#client.query(sql, [...parameters]);
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
    } catch (error) {
      if (isBroken(error)) this.#broken = error as Error;
      throw storageError(error);
    }
  }
  async run(sql: string) {
    await this.executeQuery({ sql, parameters: [] });
  }
  release() {
    this.#client.release(this.#broken);
  }
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new StorageError('unexpected', 'streaming goes through the stores, in chunks');
  }
}
