import { chunkSize } from './list-chunks.ts';

/** SQL for a chunk of a list in the order of `time`, then `id`. $1 and $2 are time and id of the last row before it. */
export function chunkSql({
  columns,
  time,
  id,
  from,
  where,
  size = chunkSize,
}: Record<'columns' | 'time' | 'id' | 'from' | 'where', string> & { size?: number }): string {
  return `SELECT ${columns} FROM ${from} WHERE ${where} AND (${time}, ${id}) > ($1, $2)
    ORDER BY ${time}, ${id} LIMIT ${size}`;
}
