import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const root = dirname(import.meta.dirname);

interface Expression {
  file: string;
  pattern: string;
  flags: string;
}

/** Expressions whose callers bound the length of their input. */
const bounded: Record<string, { pattern: RegExp; most: number }> = {
  'bff/src/capabilities/device-files/coordinates.ts': {
    pattern: /\(\?<degrees>|\[NS\]|\\s\+\|\(\?<=|^\\s\*;/,
    most: 100,
  },
};
const longest = 60_000;
/** In ms of CPU time, so that a busy machine does not matter. A quadratic expression takes seconds. */
const mostTime = 300;

/** Every regular expression literal of the server and the web app. */
function expressionsOf(file: string): Expression[] {
  const found: Expression[] = [];
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: Omit<Expression, 'file'> | null };
    if (regex) found.push({ ...regex, file });
    Object.values(node).forEach(visit);
  };
  visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

const isNoTest = (file: string) => !/\.(test|fixture|cases|bench|shots)\.|\/tests\/|vitest/.test(file);
const files = globSync('{bff,web}/src/**/*.{ts,tsx}', { cwd: root }).filter(isNoTest).toSorted();
const expressions = files.flatMap(expressionsOf);

/** Numbers from 0 to 1 that are the same in each run. */
function createRandom() {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const characters = [...'aZ0_-. \n\t"\'@/:;,=(%{*é\u0000'];

/** Characters and words of the pattern, of which long inputs are made. */
function wordsOf({ pattern }: Expression): string[] {
  const plain = pattern.replaceAll(/\\[bBdDsSwWpPk](\{[^}]*\})?/g, ' ').replaceAll('\\', '');
  const literal = plain.match(/[^[\](){}|^$?*+ ]{2,}/g) ?? [];
  const single = [...plain].filter((character) => !'[](){}|^$?*+ '.includes(character));
  return [...new Set([...literal, ...single, ...characters])];
}

/** The start of an input, the part that is repeated, and the end, which often prevents a match. */
function inputsOf(expression: Expression, length: number): string[] {
  const random = createRandom();
  const words = wordsOf(expression);
  const some = (most: number) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => words[Math.floor(random() * words.length)]).join(
      '',
    );
  const repeated = [...words, ...Array.from({ length: 60 }, () => some(2) + some(1) || 'a')];
  return repeated.flatMap((part) => {
    const body = part.repeat(Math.ceil(length / part.length)).slice(0, length);
    return [`${body}\u0000`, `${some(3)}${body}${some(1)}\n\u0000`];
  });
}

/** The most CPU time that it takes for one of the inputs, in ms. */
function slowest({ file, pattern, flags }: Expression, most = longest): number {
  const bound = bounded[file];
  const length = bound?.pattern.test(pattern) ? bound.most : most;
  // All matches are replaced: `split` and `replaceAll` do so too.
  const all = new RegExp(pattern, [...new Set(`${flags}g`)].join(''));
  let time = 0;
  // Short ones first: a bad expression would take hours for the long ones, and nothing can interrupt it.
  for (const size of [20, 30, 100, 1000, length]) {
    for (const input of inputsOf({ file, pattern, flags }, Math.min(size, length))) {
      const before = process.threadCpuUsage();
      input.replace(all, '');
      const { user, system } = process.threadCpuUsage(before);
      time = Math.max(time, (user + system) / 1000);
      if (time > mostTime) return time;
    }
  }
  return time;
}

test.each(expressions)('$file: /$pattern/$flags takes linear time', (expression) => {
  expect(slowest(expression)).toBeLessThan(mostTime);
});

test.each([/([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*:)[^\s"]*@/gi, /\s+$/])('%s is found to be slow', ({ source, flags }) => {
  // half of the length is enough, and takes a quarter of the time
  expect(slowest({ file: '', pattern: source, flags }, longest / 2)).toBeGreaterThan(mostTime);
});
