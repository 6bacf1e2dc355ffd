/** Functions of PostgreSQL under their names in SQLite. */
const sqliteNames: Record<string, string> = {
  greatest: 'max',
  least: 'min',
  strpos: 'instr',
  elements: 'json_each',
  indexed_part: 'substr',
  json_agg: 'json_group_array',
  json_build_object: 'json_object',
};

const timeNow = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** Without the limit, SQLite would print a message again for each of its columns: 25 instead of 20 µs for one of 26. */
const sentMessages = `(SELECT key AS place, ${['id', 'sender_id', 'user_id', 'swarm_id', 'to_id', 'payload', 'encoding', 'properties', 'is_named'].map((name) => `value ->> '${name}' AS ${name}`).join(', ')} FROM (SELECT key, value FROM json_each(+?1) LIMIT -1))`;

/**
 * Rewrites portable SQL for SQLite, outside of quotation marks:
 * - `$1` as `+?1`: node:sqlite binds only `?1` by position, and the plus keeps SQLite from planning the statement again for
 *   each value of a `LIMIT` or of a column that a partial index is about (4 times the time of a small statement);
 * - `sent_messages($1)` to a query of a JSON array;
 * - `time_now()`, the time of the database as a text;
 * - `greatest`, `least`, `strpos`, `indexed_part`, `json_agg` and `json_build_object`; `elements($1)`, the values of a JSON array as a table with the column `value`;
 * - `JOIN /*in this order*\/` and `, /*in this order*\/`: the planner keeps the order of the tables. Anything like it would be a
 *   comment, and is refused;
 * - `FOR UPDATE` and `FOR SHARE` to nothing, because there is one writer.
 */
export function sqliteText(sql: string): string {
  const parts =
    /'[^']*'|"[^"]*"|\bsent_messages\(\$1\)|\btime_now\(\)|\$(?=\d)|\b(?:greatest|least|strpos|elements|indexed_part|json_agg|json_build_object)(?=\()|(?:\bJOIN|,) \/\*in this order\*\/|\bFOR (?:UPDATE|SHARE)\b(?: OF \w+)?/g;
  const text = sql.replaceAll(parts, (found) => {
    if (found === '$') return '+?';
    if (found.startsWith('sent_')) return sentMessages;
    if (found === 'time_now()') return timeNow;
    if (found.startsWith('JOIN')) return 'CROSS JOIN';
    if (found.startsWith(',')) return ' CROSS JOIN';
    if (found.startsWith('FOR ')) return '';
    return sqliteNames[found] ?? found;
  });
  if (/in this order/i.test(text)) throw new Error(`SQLite would not keep the order of the tables: ${sql}`);
  return text;
}
