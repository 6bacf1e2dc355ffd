import { SelectQueryNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import type { Reader } from './reader.ts';
import type { Row, Value } from '../statement.ts';
import { StorageError } from '../statement.ts';
import type { SteppedTransaction, Writer } from './writer.ts';

/**
 * Kysely over our reader and our writer. What only reads goes to the read-only connection, so that it
 * never sees what is not on disk; what writes goes through the queue. A transaction takes the writer
 * at its first write, not before: hashing a password in between holds up nobody.
 */
export function createDialect({ reader, writer }: { reader: Reader; writer: Writer }): Dialect {
  return {
    createAdapter: () => new QueueAdapter(),
    createDriver: () => new QueueDriver(reader, writer),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely would lend one connection at a time: all users would wait for a transaction that hashes a password. */
class QueueAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}

class QueueDriver implements Driver {
  readonly #reader: Reader;
  readonly #writer: Writer;
  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }
  async init() {}
  async acquireConnection() {
    return new QueueConnection(this.#reader, this.#writer);
  }
  async beginTransaction(connection: DatabaseConnection) {
    (connection as QueueConnection).begin();
  }
  async commitTransaction(connection: DatabaseConnection) {
    await (connection as QueueConnection).transaction?.commit();
  }
  async rollbackTransaction(connection: DatabaseConnection) {
    await (connection as QueueConnection).transaction?.rollback();
  }
  async releaseConnection() {}
  async destroy() {}
}

class QueueConnection implements DatabaseConnection {
  transaction: SteppedTransaction | undefined;
  readonly #reader: Reader;
  readonly #writer: Writer;
  #wrote = false;
  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  begin() {
    this.transaction = this.#writer.begin();
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const params = parameters as Value[];
    if (SelectQueryNode.is(query) && !this.#wrote) return { rows: this.#reader.all(sql, params) as R[] };
    this.#wrote = this.transaction !== undefined;
    const { rows, changes } = await this.#write(sql, params);
    return { rows: rows as R[], numAffectedRows: BigInt(changes) };
  }

  async #write(sql: string, params: Value[]): Promise<{ rows: Row[]; changes: number }> {
    if (this.transaction) return this.transaction.step(sql, params);
    const once = this.#writer.begin();
    try {
      const result = await once.step(sql, params);
      await once.commit();
      return result;
    } catch (error) {
      await once.rollback();
      throw error;
    }
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new StorageError('away', 'streaming goes through the stores, in chunks');
  }
}
