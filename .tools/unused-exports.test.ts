import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readCode, unusedExports } from './unused-exports.ts';

const root = dirname(import.meta.dirname);

/** What the file of a name finds by its name, without an import: React Router, Vitest, `import.meta.glob`, the tests of the contract and of rights, the rows of a capability, a module that replaces another, what the build writes around imports. */
const foundByName =
  /^web\/src\/routes\/.*: (Component|preload)$|: (setup|teardown|cases|rights|operationRights|authRights|actionKinds|jobs|GatewayEvents|ServiceEvents)$|^bff\/src\/capabilities\/[\w-]+\/contract\.ts: [a-z]|^web\/src\/text\/\w+\/(index|push|city-names)\.ts: |^web\/src\/text\/text\.ts: withTexts$|hold-actions\.fixture\.ts: createKinds$/;

test('each export is imported by another file', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'bff/package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  const packages = Object.fromEntries(
    Object.entries(exports).map(([name, file]) => [join('@swarmdeck/bff', name), join('bff', file)]),
  );
  const codeOf = readCode(root);
  expect(codeOf.size).toBeGreaterThan(2000);
  expect(unusedExports(codeOf, packages).filter((each) => !foundByName.test(each))).toEqual([]);
});

test('an import under another name, of a whole module, of a type, and one that is passed on are imports', () => {
  const codeOf = new Map([
    ['a.ts', 'export const one = 1;\nexport async function two() {}\nexport type Three = 3;\nexport class Four {}'],
    ['all.ts', "export * from './a.ts';\nexport const five = 5;\nexport interface Six {}\nexport const seven = 7;"],
    ['b.ts', "import {\n  one as uno,\n  type Three,\n} from './all.ts';\nimport type { Six } from '@own/all';"],
    ['c.ts', "const { two } = await import('./a.ts');\nimport * as all from './all.ts';\nall.five();"],
    ['d.ts', "import { seven } from 'elsewhere';\nimport { eight as seven } from './all.ts';\n"],
  ]);
  expect(unusedExports(codeOf, { '@own/all': 'all.ts' })).toEqual(['a.ts: Four', 'all.ts: seven']);
});
