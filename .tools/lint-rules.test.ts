import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = dirname(import.meta.dirname);

/** For each rule of our own, files that violate it. */
const refused: { rule: string; file: string; code: string }[] = [
  imports('e2e/specs/inside.spec.ts', '../../bff/src/app.ts'),
  imports('e2e/device-client.ts', '@swarmdeck/bff/contract'),
  imports('web/src/features/map/geometry/boxes.ts', '../symbols/scene.ts'),
  imports('web/src/features/map/tiles/tile-layer.ts', '../symbols/scene.ts'),
  { file: 'web/src/ui/left-out.test.ts', code: leftOut('it.skip'), rule: 'no-disabled-tests' },
  { file: 'bff/src/only.test.ts', code: leftOut('test.only'), rule: 'no-focused-tests' },
  { file: 'e2e/specs/left-out.spec.ts', code: leftOut('test.skip'), rule: 'no-disabled-tests' },
  {
    ...imports('e2e/pages/home.page.ts', ''),
    code: "import { expect } from 'playwright/test';\nexport const one = expect;",
  },
  uses('web/src/features/map/map.api.ts', "await fetch('/api/map')", 'no-restricted-globals'),
  uses('web/src/ui/open.ts', "await globalThis.fetch('/')", 'no-restricted-globals'),
  uses('bff/src/service/remote.ts', "await fetch('/')", 'no-restricted-globals'),
  uses('web/src/features/map/stream.ts', "new EventSource('/api/events')", 'no-restricted-globals'),
  uses('bff/src/service/secrets.ts', 'process.env.SECRET', 'no-process-env'),
  {
    file: 'web/src/routes/whole.tsx',
    code: 'export default function Whole() {\n  return null;\n}',
    rule: 'no-default-export',
  },
  {
    file: 'bff/src/read-models/value.ts',
    code: "import { A } from '../contract.ts';\nexport const a: A | null = null;",
    rule: 'consistent-type-imports',
  },
  {
    file: 'web/src/app/cycle-a.ts',
    code: "import type { B } from './cycle-b.ts';\nexport type A = B | 1;",
    rule: 'no-cycle',
  },
  {
    file: 'web/src/app/cycle-b.ts',
    code: "import type { A } from './cycle-a.ts';\nexport type B = A | 2;",
    rule: 'no-cycle',
  },
  {
    file: 'bff/src/core/gateway/floating.ts',
    code: 'async function send() {}\nexport function forget() {\n  send();\n}',
    rule: 'no-floating-promises',
  },
  {
    file: 'bff/src/core/limits/spread.ts',
    code: 'const a = 1;\nexport const limits = { ...{ a, b: 2 }, c: 3 };',
    rule: 'no-useless-spread',
  },
  { file: 'bff/src/core/limits/long.ts', code: linesOf(151), rule: 'max-lines-per-function' },
];

/** What the same rules must allow. */
const allowed = [
  uses('bff/src/cli.ts', 'process.env.PORT', ''),
  { file: 'bff/src/core/limits/readable.ts', code: linesOf(140) },
  { file: 'bff/src/core/limits/table.test.ts', code: linesOf(151) },
];

/** A function with so many statements, each in a line. */
function linesOf(statements: number) {
  return `export function sum(a: number) {\n  let all = 0;\n${'  all += a;\n'.repeat(statements)}  return all;\n}`;
}

function leftOut(call: string) {
  return `import { expect, it, test } from 'vitest';\n${call}('runs', () => expect(1).toBe(1));\nexport const two = [it, test];`;
}

function imports(file: string, from: string) {
  return { file, code: `import { one } from '${from}';\nexport const two = [one];`, rule: 'no-restricted-imports' };
}

function uses(file: string, expression: string, rule: string) {
  return { file, code: `export async function use() {\n  return ${expression};\n}`, rule };
}

describe('the lint rules', () => {
  let folder: string;
  const found = new Map<string, string[]>();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'swarmdeck-lint-'));
    for (const { file, code } of [...refused, ...allowed]) {
      const path = join(folder, file);
      if (existsSync(path)) throw new Error(`two lines for ${file}: the second would take the place of the first`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${code}\n`);
    }
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "module": "nodenext", "jsx": "react-jsx" } }');
    // oxlint searches its type-aware part in the folder and on the PATH.
    const bin = join(root, 'node_modules/.bin');
    const lint = spawnSync(join(bin, 'oxlint'), ['--format=json'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
    });
    const report = JSON.parse(lint.stdout) as { diagnostics: { code: string; filename: string }[] };
    for (const { code, filename } of report.diagnostics) {
      found.set(filename, [...(found.get(filename) ?? []), code.replace(/.*\((.*)\)/, '$1')]);
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(refused)('$rule refuses in $file: $code', ({ file, rule }) => {
    expect(found.get(file)).toContain(rule);
  });

  test.each(allowed)('no rule refuses in $file: $code', ({ file }) => {
    const rules = [
      'no-restricted-imports',
      'no-restricted-globals',
      'no-process-env',
      'no-cycle',
      'max-lines-per-function',
    ];
    expect((found.get(file) ?? []).filter((rule) => rules.includes(rule))).toEqual([]);
  });
});
