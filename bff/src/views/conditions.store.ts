import type { Value } from '../storage/statement.ts';

/** A condition on a row, and what its question marks stand for. */
export interface Condition {
  sql: string;
  params: Value[];
}

export const always: Condition = { sql: 'true', params: [] };

export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND '),
    params: conditions.flatMap(({ params }) => params),
  };
}

/** A search looks at the beginnings of ids, too. They are UUIDv7: fewer characters are only a time, the same for an hour. */
export const idPrefixFrom = 8;
