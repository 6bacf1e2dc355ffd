import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { leavesOf, pathsReadIn, shows, type Path } from '../../text-reads.ts';
import { texts } from './en/index.ts';

const parse = (code: string) => parseAst(code, { lang: 'tsx' });
const root = dirname(import.meta.dirname);
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.(test|fixture)\.|^text\/\w+\//.test(file));

/** The paths of the texts that no code reads. */
function unusedTexts({ all, read }: { all: unknown; read: Path[] }): string[] {
  return leavesOf(all)
    .filter((text) => !read.some((path) => shows(path, text)))
    .map((text) => text.join('.'));
}

test('the app shows each of its texts', () => {
  const read = files.flatMap((file) => pathsReadIn(parse(readFileSync(join(root, file), 'utf8'))));
  expect(files.length).toBeGreaterThan(300);
  expect(unusedTexts({ all: texts, read })).toEqual([]);
});

test('a text that no code reads is reported', () => {
  const all = { page: { title: '', forgotten: '' }, states: { open: '', closed: '' }, errors: { gone: '' } };
  const read = [['page', 'title', 'toLowerCase'], ['states', '*'], ['errors']];
  expect(unusedTexts({ all, read })).toEqual(['page.forgotten']);
});

test.each([
  ['t.swarms.title;', ['swarms.title']],
  ['t.swarms.states[state].title;', ['swarms.states.*.title']],
  ['t.swarms.states[t.shell.state];', ['swarms.states.*', 'shell.state']],
  ['const { empty } = t.swarms; empty.title;', ['swarms.empty.title']],
  ['const state = t.swarms.states[name]; state.title;', ['swarms.states.*.title']],
  ['sentence(t.swarms);', ['swarms']],
  ['const view = <p>{t.shell.close}</p>;', ['shell.close']],
])('in `%s` it finds %s', (code, paths) => {
  expect(pathsReadIn(parse(code)).map((path) => path.join('.'))).toEqual(paths);
});
