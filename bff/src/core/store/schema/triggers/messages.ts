/** Counts the bytes of the messages that each user has sent. */
import { bytesOfMessage } from '../message-bytes.ts';
import type { Store } from '../tables.ts';
import type { RowName, Trigger } from './trigger.ts';

export const messageTriggers = (store: Store): readonly Trigger[] => (store === 'sqlite' ? ofEachRow : ofEachStatement);

const bytesOf = (row: RowName) => `(${bytesOfMessage(`${row}.`)})`;
const ofEachRow: readonly Trigger[] = [
  {
    name: 'messages_sent',
    on: 'AFTER INSERT ON messages',
    when: 'new.user_id IS NOT NULL',
    body: `INSERT INTO usage VALUES (new.user_id, 'message_bytes', ${bytesOf('new')})
              ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;`,
  },
  {
    name: 'messages_deleted',
    on: 'AFTER DELETE ON messages',
    when: 'old.user_id IS NOT NULL',
    body: `UPDATE usage SET amount = amount - ${bytesOf('old')}
              WHERE user_id = old.user_id AND kind = 'message_bytes';`,
  },
];

/** The bytes of these rows by user. Two statements that lock the users in different orders would wait for each other. */
const bytesByUser = (rows: string) => `SELECT user_id, 'message_bytes', sum(${bytesOfMessage()})
  FROM ${rows} WHERE user_id IS NOT NULL GROUP BY user_id ORDER BY user_id`;
/** In PostgreSQL, because a batch creates and deletes many messages. */
const ofEachStatement: readonly Trigger[] = [
  {
    name: 'messages_sent',
    on: 'AFTER INSERT ON messages',
    rows: 'NEW TABLE AS sent',
    body: `INSERT INTO usage ${bytesByUser('sent')} ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;`,
  },
  {
    name: 'messages_deleted',
    on: 'AFTER DELETE ON messages',
    rows: 'OLD TABLE AS deleted',
    body: `PERFORM 1 FROM usage WHERE kind = 'message_bytes' AND user_id IN (SELECT user_id FROM deleted) ORDER BY user_id FOR UPDATE;
     UPDATE usage SET amount = usage.amount - less.amount FROM (${bytesByUser('deleted')}) AS less (user_id, kind, amount)
       WHERE usage.user_id = less.user_id AND usage.kind = less.kind;`,
  },
];
