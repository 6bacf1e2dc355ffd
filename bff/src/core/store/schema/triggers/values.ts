/** Counts the bytes of the values that are kept for each user. */
import type { Store } from '../tables.ts';
import type { RowName, Trigger } from './trigger.ts';

interface Counted {
  table: string;
  /** The beginning of the names of its triggers. */
  name: string;
  /** SQL: the bytes of a row with its entries in the indexes. */
  bytesOf: (row: '' | `${RowName}.`) => string;
}

const counted: readonly Counted[] = [
  { table: 'value_blocks', name: 'values', bytesOf: (row) => `(length(${row}content) + 200)` },
  {
    table: 'device_values',
    name: 'device_values',
    bytesOf: (row) =>
      `(octet_length(${row}open) + octet_length(${row}last) + octet_length(${row}audiences) + octet_length(${row}known_keys) + 200)`,
  },
];

export const valueTriggers = (store: Store): readonly Trigger[] =>
  counted.flatMap(store === 'sqlite' ? ofEachRow : ofEachStatement);

function ofEachRow({ table, name, bytesOf }: Counted): Trigger[] {
  const add = `INSERT INTO usage VALUES (new.user_id, 'value_bytes', ${bytesOf('new.')})
              ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;`;
  const subtract = `UPDATE usage SET amount = amount - ${bytesOf('old.')}
              WHERE user_id = old.user_id AND kind = 'value_bytes';`;
  return [
    { name: `${name}_kept`, on: `AFTER INSERT ON ${table}`, body: add },
    {
      name: `${name}_changed`,
      on: `AFTER UPDATE ON ${table}`,
      when: `${bytesOf('old.')} <> ${bytesOf('new.')} OR old.user_id <> new.user_id`,
      body: `${subtract} ${add}`,
    },
    { name: `${name}_deleted`, on: `AFTER DELETE ON ${table}`, body: subtract },
  ];
}

/** In PostgreSQL, because a statement deletes many of them. */
function ofEachStatement({ table, name, bytesOf }: Counted): Trigger[] {
  // Two statements that lock the users in different orders would wait for each other.
  const bytesByUser = (rows: string) =>
    `SELECT user_id, 'value_bytes', sum(${bytesOf('')}) FROM ${rows} GROUP BY user_id ORDER BY user_id`;
  const add = (rows: string) =>
    `INSERT INTO usage ${bytesByUser(rows)} ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;`;
  const subtract = (
    rows: string,
  ) => `PERFORM 1 FROM usage WHERE kind = 'value_bytes' AND user_id IN (SELECT user_id FROM ${rows}) ORDER BY user_id FOR UPDATE;
     UPDATE usage SET amount = usage.amount - less.amount FROM (${bytesByUser(rows)}) AS less (user_id, kind, amount)
       WHERE usage.user_id = less.user_id AND usage.kind = less.kind;`;
  return [
    { name: `${name}_kept`, on: `AFTER INSERT ON ${table}`, rows: 'NEW TABLE AS kept', body: add('kept') },
    {
      name: `${name}_changed`,
      on: `AFTER UPDATE ON ${table}`,
      rows: 'OLD TABLE AS replaced NEW TABLE AS kept',
      body: `${subtract('replaced')} ${add('kept')}`,
    },
    {
      name: `${name}_deleted`,
      on: `AFTER DELETE ON ${table}`,
      rows: 'OLD TABLE AS deleted',
      body: subtract('deleted'),
    },
  ];
}
