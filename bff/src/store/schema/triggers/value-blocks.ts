/** Counts the bytes of the values that are kept for each user. */
import type { Store } from '../tables.ts';
import type { RowName, Trigger } from './trigger.ts';

export const valueBlockTriggers = (store: Store): readonly Trigger[] =>
  store === 'sqlite' ? ofEachRow : ofEachStatement;

/** Of a block, with its row and its entries in the indexes. */
const bytesOf = (row: '' | `${RowName}.`) => `(length(${row}content) + 200)`;

const add = (row: RowName) => `INSERT INTO usage VALUES (${row}.user_id, 'value_bytes', ${bytesOf(`${row}.`)})
              ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;`;
const subtract = (row: RowName) => `UPDATE usage SET amount = amount - ${bytesOf(`${row}.`)}
              WHERE user_id = ${row}.user_id AND kind = 'value_bytes';`;

const ofEachRow: readonly Trigger[] = [
  { name: 'values_kept', on: 'AFTER INSERT ON value_blocks', body: add('new') },
  { name: 'values_changed', on: 'AFTER UPDATE OF content ON value_blocks', body: `${subtract('old')} ${add('new')}` },
  { name: 'values_deleted', on: 'AFTER DELETE ON value_blocks', body: subtract('old') },
];

/** Two statements that lock the users in different orders would wait for each other. */
const bytesByUser = (rows: string) =>
  `SELECT user_id, 'value_bytes', sum(${bytesOf('')}) FROM ${rows} GROUP BY user_id ORDER BY user_id`;
const addAll = (rows: string) =>
  `INSERT INTO usage ${bytesByUser(rows)} ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;`;
const subtractAll = (
  rows: string,
) => `PERFORM 1 FROM usage WHERE kind = 'value_bytes' AND user_id IN (SELECT user_id FROM ${rows}) ORDER BY user_id FOR UPDATE;
     UPDATE usage SET amount = usage.amount - less.amount FROM (${bytesByUser(rows)}) AS less (user_id, kind, amount)
       WHERE usage.user_id = less.user_id AND usage.kind = less.kind;`;

/** In PostgreSQL, because a statement deletes many of them. */
const ofEachStatement: readonly Trigger[] = [
  { name: 'values_kept', on: 'AFTER INSERT ON value_blocks', rows: 'NEW TABLE AS kept', body: addAll('kept') },
  {
    name: 'values_changed',
    on: 'AFTER UPDATE ON value_blocks',
    rows: 'OLD TABLE AS replaced NEW TABLE AS kept',
    body: `${subtractAll('replaced')} ${addAll('kept')}`,
  },
  {
    name: 'values_deleted',
    on: 'AFTER DELETE ON value_blocks',
    rows: 'OLD TABLE AS deleted',
    body: subtractAll('deleted'),
  },
];
