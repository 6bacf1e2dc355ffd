import type { Value } from '../store/statement.ts';

/** A condition on a row, and what its question marks stand for. */
export interface Condition {
  sql: string;
  params: Value[];
}

export const always: Condition = { sql: 'true', params: [] };

export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.length === 0 ? always.sql : conditions.map(({ sql }) => `(${sql})`).join(' AND '),
    params: conditions.flatMap(({ params }) => params),
  };
}
