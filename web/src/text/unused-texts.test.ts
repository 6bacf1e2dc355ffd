import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { texts } from './en/all.ts';

/** The keys to a text, from the outermost. In what code reads, `*` is a key that is known only when it runs. */
type Path = readonly string[];

interface Node {
  type: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const root = dirname(import.meta.dirname);
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.(test|fixture)\.|^text\/\w+\//.test(file));

/** The paths of the texts that no code reads. */
function unusedTexts({ all, read }: { all: unknown; read: Path[] }): string[] {
  const covers = (path: Path, text: Path) =>
    path.slice(0, text.length).every((key, index) => key === '*' || key === text[index]);
  return pathsIn(all)
    .filter((text) => !read.some((path) => covers(path, text)))
    .map((text) => text.join('.'));
}

function pathsIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return Object.entries(value).flatMap(([key, inner]) => pathsIn(inner).map((path) => [key, ...path]));
}

/** What the code reads of `t`, and of its variables that are parts of `t`. A part that it passes on counts as a whole. */
function readTexts(code: string): Path[] {
  const read: Path[] = [];
  const variables = new Map<unknown, Path[]>([['t', [[]]]]);

  const pathsOf = (node: Node): Path[] => {
    if (node.type === 'Identifier') return variables.get(node.name) ?? [];
    if (node.type !== 'MemberExpression' || !isNode(node.object) || !isNode(node.property)) return [];
    const { property } = node;
    const key = node.computed === true ? '*' : String(property.name);
    return pathsOf(node.object).map((path) => [...path, key]);
  };

  const declare = (name: unknown, paths: Path[]) => variables.set(name, [...(variables.get(name) ?? []), ...paths]);

  /** True if the variables of the declaration are parts of `t`. */
  const declaresTexts = ({ id, init }: Node): boolean => {
    const paths = isNode(init) ? pathsOf(init) : [];
    if (paths.length === 0 || !isNode(id)) return false;
    if (id.type === 'Identifier') declare(id.name, paths);
    if (id.type !== 'ObjectPattern') return id.type === 'Identifier';
    for (const { key, value } of id.properties as { key: Node; value: Node }[]) {
      declare(
        value.name,
        paths.map((path) => [...path, String(key.name)]),
      );
    }
    return true;
  };

  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    if (value.type === 'VariableDeclarator' && declaresTexts(value)) return visitKeys(value.init);
    const paths = pathsOf(value).filter((path) => path.length > 0);
    read.push(...paths);
    if (paths.length > 0) return visitKeys(value);
    Object.values(value).forEach(visit);
  };

  /** Visits the computed keys of an expression that reads texts. */
  const visitKeys = (value: unknown): void => {
    if (!isNode(value) || value.type !== 'MemberExpression') return;
    if (value.computed === true) visit(value.property);
    visitKeys(value.object);
  };

  visit(parseAst(code, { lang: 'tsx' }));
  return read;
}

test('the app shows each of its texts', () => {
  const read = files.flatMap((file) => readTexts(readFileSync(join(root, file), 'utf8')));
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
  expect(readTexts(code).map((path) => path.join('.'))).toEqual(paths);
});
