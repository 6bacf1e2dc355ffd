import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What PostgreSQL does not have. `sqliteText` has the portable names. */
const forbidden: Record<string, RegExp> = {
  'a row number': /\browid\b/,
  'a JSON function': /\bjson_(each|object|quote|group_array|array)\b|->>/,
  'iif, use CASE': /\biif\(/,
  'instr, use strpos': /\binstr\(/,
  'group_concat, use string_agg': /\bgroup_concat\(/,
  'a planner hint': /CROSS JOIN|INDEXED BY|[\s(]\+[a-z]+\./,
  'a PRAGMA': /\bPRAGMA\b/,
  'INSERT OR, use ON CONFLICT': /\bINSERT OR\b|\bREPLACE INTO\b/,
  'a function of dates': /\b(datetime|strftime|julianday)\(/,
  'IS with a value': /\bIS (NOT )?\$/,
  GLOB: /\bGLOB\b/,
  'a negative limit': /LIMIT -/,
  'max or min of two values, use greatest or least': /(?<![.\w])(max|min)\([^()]*,/,
  'a parameter without a number': /[=(,<>] ?\?(\d|\s*[,)'`]|$)/m,
  "SQLite's own tables": /\bsqlite_/,
  'the reserved word user without quotation marks': /\b(FROM|JOIN|INTO) user\b/,
  'a name with capital letters without quotation marks': /\bAS [a-z_]+[A-Z]/,
  'ON CONFLICT DO UPDATE without columns': /ON CONFLICT DO UPDATE/,
};

const folder = join(import.meta.dirname, '../..');
const isOfOneStore =
  /^core\/store\/(sqlite|postgres|schema)\/|^core\/store\/move-to-postgres\.ts$|\.test\.ts$|\.fixture\.ts$|\.cases\.ts$/;
const files = globSync('**/*.ts', { cwd: folder }).filter((name) => !isOfOneStore.test(name));

/** The texts in quotation marks or backticks that have a word of SQL. */
function sqlIn(source: string): string[] {
  const withoutComments = source.replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, '');
  const texts = withoutComments.match(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g) ?? [];
  return texts.filter((text) => /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|FROM|EXISTS)\b/.test(text));
}

test('SQL outside of store/sqlite is portable', () => {
  const texts = files.flatMap((name) =>
    sqlIn(readFileSync(join(folder, name), 'utf8')).map((text) => ({ name, text })),
  );
  expect(texts.length).toBeGreaterThan(100);
  const faults = texts.flatMap(({ name, text }) =>
    Object.entries(forbidden)
      .filter(([, pattern]) => pattern.test(text))
      .map(([fault]) => `${name}: ${fault}: ${text}`),
  );
  expect(faults).toEqual([]);
});

/**
 * A migration changes what `*` means: the prepared statement of a process that is still running then fails, or returns rows
 * that it does not know. `SELECT *` of a subquery names its columns there.
 */
const allColumns = /\bRETURNING \*|\bSELECT \*(?! FROM \()|\b[a-z]\w*\.\*/;

test('statements name the columns that they read', () => {
  const faults = files.flatMap((name) =>
    sqlIn(readFileSync(join(folder, name), 'utf8'))
      .filter((text) => allColumns.test(text))
      .map((text) => `${name}: ${text}`),
  );
  expect(faults).toEqual([]);
});

/** Who sees members, who is a manager, and who has agreed to be one or to watch. */
const rightsOfUsers = /\bswarm_viewers\b|\brole = 'manager'|\bagreed_at IS NOT NULL/;

test('who sees what, and who manages what, is stated in visibility.ts only', () => {
  const faults = files
    .filter((name) => name !== 'core/store/visibility.ts')
    .flatMap((name) =>
      sqlIn(readFileSync(join(folder, name), 'utf8'))
        .filter((text) => rightsOfUsers.test(text))
        .map((text) => `${name}: ${text}`),
    );
  expect(faults).toEqual([]);
});
