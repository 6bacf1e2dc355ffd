/**
 * In SQLite, the index `messages_of_sender` has only parts of ids. With whole ones, it was half of what the writer does for a message:
 * messages of different senders change different pages of it. Rows are found by the parts, and compared by the ids. On PostgreSQL, a part
 * is the whole id (schema/postgres-functions.ts): shorter ones save it nothing, and it plans as if few rows with the part had the id.
 */
import { raw, sql, type Sql } from './statement.ts';

/** The last group of an id, which is random: two senders hardly have the same. */
export const senderPart = (id: Sql): Sql => sql`indexed_part(${id}, 25)`;
/** The last four digits of an id: few swarms of a sender have the same. */
export const swarmPart = (id: Sql): Sql => sql`indexed_part(${id}, 33)`;

/** The row of `messages` is of this sender. `row`: the name of the table. */
export function isOfSender(row: string, sender: Sql): Sql {
  const id = raw(`${row}.sender_id`);
  return sql`${senderPart(id)} = ${senderPart(sender)} AND ${id} = ${sender}`;
}

/**
 * A message from or to a device was sent for the owner that the device has now: one that was handed over is another sender and another receiver.
 * `device`: the row of `resources`. `user`: `user_id` of the message, or `to_user` for its receiver; null, of messages from before
 * this was stored, counts for a device that was never handed over.
 */
export const isForOwnerOf = (device: string, user: Sql): Sql =>
  sql`(${raw(device)}.owner_since IS NULL OR ${raw(device)}.user_id IS NOT DISTINCT FROM ${user})`;

/** The row is of this sender to this swarm. */
export function isOfSenderTo(row: string, { sender, swarm }: { sender: Sql; swarm: Sql }): Sql {
  const id = raw(`${row}.swarm_id`);
  return sql`${isOfSender(row, sender)} AND ${swarmPart(id)} = ${swarmPart(swarm)} AND ${id} = ${swarm}`;
}
