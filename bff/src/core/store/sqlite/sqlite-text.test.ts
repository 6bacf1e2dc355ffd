import { expect, test } from 'vitest';
import { sqliteText } from './sqlite-text.ts';

test('parameters are rewritten for SQLite, but not in quotation marks', () => {
  expect(sqliteText(`SELECT $1, '$2', "$3", 'it''s $4' WHERE a = $10`)).toBe(
    `SELECT +?1, '$2', "$3", 'it''s $4' WHERE a = +?10`,
  );
});

test('portable functions, the order of tables and locks are rewritten for SQLite', () => {
  expect(
    sqliteText(
      `SELECT greatest(a, 'least(b)'), indexed_part(id, 25) FROM elements($1) w JOIN /*in this order*/ r FOR UPDATE`,
    ),
  ).toBe(`SELECT max(a, 'least(b)'), substr(id, 25) FROM json_each(+?1) w CROSS JOIN r `);
});

test('a comment about the order of tables that SQLite would not follow is refused', () => {
  expect(() => sqliteText('SELECT 1 FROM a JOIN /* in this order */ b')).toThrow('SQLite would not keep the order');
});
