import {
  createAdapterFactory,
  type CleanedWhere,
  type CustomAdapter,
  type DBAdapterFactoryConfig,
  type DBAdapterInstance,
} from 'better-auth/adapters';
import type { Database } from '../store/database.ts';
import { allOf, join, listOf, raw, sql, type Sql, type Statement, type Value } from '../store/statement.ts';

const config: DBAdapterFactoryConfig = {
  adapterId: 'swarmdeck',
  supportsDates: false,
  supportsBooleans: false,
  supportsJSON: false,
};

/**
 * Better Auth on the store. A transaction collects what it creates and is one write at its end, so no other request
 * waits for it while a password is hashed. Its reads do not see what it creates, and it cannot change or delete records.
 * https://www.better-auth.com/docs/guides/create-a-db-adapter
 */
export function createStoreAdapter(db: Database): DBAdapterInstance {
  const write: Write = async (statement) => {
    const written = await db.write([{ ...statement, isResult: true }]);
    return written.ok ? written.rows : [];
  };
  return (options) => {
    const transaction: Exclude<DBAdapterFactoryConfig['transaction'], false | undefined> = async (act) => {
      const statements: Statement[] = [];
      const add: Write = async (statement) => {
        statements.push(statement);
        return [];
      };
      const change: Write = () => Promise.reject(new Error('a transaction can only create records'));
      const collected = { ...queriesOf({ db, write: change }), create: createBy(add) };
      const result = await act(createAdapterFactory({ config, adapter: () => collected })(options));
      if (statements.length > 0) await db.write(statements);
      return result;
    };
    const queries = queriesOf({ db, write });
    return createAdapterFactory({ config: { ...config, transaction }, adapter: () => queries })(options);
  };
}

/** Returns the rows of the statement. */
type Write = (statement: Statement) => Promise<object[]>;

const quoted = (name: string) => raw(`"${name}"`);

const createBy =
  (write: Write): CustomAdapter['create'] =>
  async ({ model, data }) => {
    const columns = join(Object.keys(data).map(quoted), ', ');
    await write(sql`INSERT INTO ${quoted(model)} (${columns}) VALUES (${listOf(Object.values(data))})`);
    return data;
  };

function queriesOf({ db, write }: { db: Database; write: Write }): CustomAdapter {
  const update = ({ model, where, update: data }: { model: string; where: CleanedWhere[]; update: object }) => {
    const set = Object.entries(data).map(([column, value]) => sql`${quoted(column)} = ${value as Value}`);
    return write(sql`UPDATE ${quoted(model)} SET ${join(set, ', ')} WHERE ${conditionOf(where)} RETURNING *`);
  };
  const remove = ({ model, where }: { model: string; where: CleanedWhere[] }) =>
    write(sql`DELETE FROM ${quoted(model)} WHERE ${conditionOf(where)} RETURNING 1`);
  const select = <T>({ model, where, sortBy, limit, offset = 0 }: Parameters<CustomAdapter['findMany']>[0]) => {
    const order = sortBy ? sql`ORDER BY ${quoted(sortBy.field)} ${raw(sortBy.direction)}` : raw('');
    return db.read<T>(
      sql`SELECT * FROM ${quoted(model)} WHERE ${conditionOf(where)} ${order} LIMIT ${limit} OFFSET ${offset}`,
    );
  };
  return {
    create: createBy(write),
    update: async <T>(change: Parameters<CustomAdapter['update']>[0]) =>
      ((await update({ ...change, update: change.update as object }))[0] as T | undefined) ?? null,
    updateMany: async (change) => (await update(change)).length,
    delete: async (removed) => void (await remove(removed)),
    deleteMany: async (removed) => (await remove(removed)).length,
    findOne: async <T>(query: Parameters<CustomAdapter['findOne']>[0]) =>
      (await select<T>({ model: query.model, where: query.where, limit: 1 }))[0] ?? null,
    findMany: select,
    async count({ model, where }) {
      const [found] = await db.read<{ count: number }>(
        sql`SELECT count(*) AS count FROM ${quoted(model)} WHERE ${conditionOf(where)}`,
      );
      return found!.count;
    },
  };
}

/** All conditions with the connector AND, and one of those with OR. */
function conditionOf(where: readonly CleanedWhere[] = []): Sql {
  const some = where.filter(({ connector }) => connector === 'OR').map(comparison);
  const every = where.filter(({ connector }) => connector === 'AND').map(comparison);
  return allOf(some.length > 0 ? [...every, join(some, ' OR ')] : every);
}

const operators = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' };

function comparison({ field, operator, value: given, mode }: CleanedWhere): Sql {
  const isFolded = mode === 'insensitive' && typeof given === 'string';
  const column = isFolded ? sql`lower(${quoted(field)})` : quoted(field);
  const value = (isFolded ? given.toLowerCase() : given) as Value;
  switch (operator) {
    case 'in':
    case 'not_in': {
      const values = [given].flat() as Value[];
      if (values.length === 0) return raw(operator === 'in' ? 'false' : 'true');
      return sql`${column} ${raw(operator === 'in' ? 'IN' : 'NOT IN')} (${listOf(values)})`;
    }
    case 'contains':
      return sql`strpos(${column}, ${value}) > 0`;
    case 'starts_with':
      return sql`strpos(${column}, ${value}) = 1`;
    case 'ends_with':
      return sql`substr(${column}, greatest(length(${column}) - ${[...String(value)].length}, 0) + 1) = ${value}`;
    default:
      if (given === null) return sql`${column} IS ${raw(operator === 'eq' ? 'NULL' : 'NOT NULL')}`;
      return sql`${column} ${raw(operators[operator ?? 'eq'])} ${value}`;
  }
}
