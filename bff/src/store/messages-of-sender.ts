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

/** The row is of this sender to this swarm. */
export function isOfSenderTo(row: string, { sender, swarm }: { sender: Sql; swarm: Sql }): Sql {
  const id = raw(`${row}.swarm_id`);
  return sql`${isOfSender(row, sender)} AND ${swarmPart(id)} = ${swarmPart(swarm)} AND ${id} = ${swarm}`;
}
