import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = dirname(import.meta.dirname);

/** For each module boundary, files that violate it, with imports as they are usually written. */
const refused: { rule: string; file: string; code: string }[] = [
  // No imports from a higher layer.
  imports('web/src/app/shell.tsx', '../main.tsx'),
  imports('web/src/routes/home.tsx', '../app/router.tsx'),
  imports('web/src/features/map/overlay.ts', '../../routes/home.tsx'),
  imports('web/src/features/account/keys.tsx', '../../app/shell.tsx'),
  imports('web/src/ui/button.tsx', '../features/map/overlay.ts'),
  imports('web/src/ui/list.tsx', '../api/client.ts'),
  imports('web/src/api/client.ts', '../ui/toast.tsx'),
  imports('web/src/api/places/places.search.ts', '../../ui/toast.tsx'),
  imports('web/src/text/text.ts', '../api/client.ts'),
  imports('bff/src/app.ts', './main.ts'),
  imports('bff/src/service/service.ts', '../app.ts'),
  imports('bff/src/screens/query-types.ts', '../config/config.ts'),
  imports('bff/src/screens/map/symbols.ts', '../../config/config.ts'),
  imports('bff/src/store/writer.ts', '../service/keys.store.ts'),
  imports('bff/src/store/database.ts', '../http/problem.ts'),
  imports('bff/src/store/row-types.ts', 'hono'),
  imports('bff/src/feed/feed.ts', '../service/keys.store.ts'),
  imports('bff/src/contract.ts', './store/row-types.ts'),
  imports('bff/src/contract/swarms.schema.ts', '../problem.ts'),
  imports('bff/src/operator/operator.ts', '../contract/swarms.schema.ts'),
  imports('bff/src/limits/rate.ts', '../contract/swarms.schema.ts'),
  imports('bff/src/service/swarms.routes.ts', '../contract/swarms.schema.ts'),
  imports('bff/src/http/problem.ts', '../app.ts'),
  imports('bff/src/device-files/csv.ts', '../app.ts'),
  // No imports between modules of one layer.
  imports('web/src/features/resources/form.tsx', '../map/device-map.tsx'),
  imports('web/src/features/map/basemap/tiles.ts', '../../resources/form.tsx'),
  imports('bff/src/service/resources.routes.ts', '../gateway/gateway.ts'),
  imports('bff/src/gateway/gateway.ts', '../sign-in/session.ts'),
  imports('bff/src/screens/devices.routes.ts', '../service/resources.store.ts'),
  imports('bff/src/sign-in/auth.ts', '../gateway/gateway-keys.store.ts'),
  imports('bff/src/demo/demo.ts', '../service/swarms.store.ts'),
  imports('bff/src/demo/values.ts', '../service/service.ts'),
  imports('bff/src/saved-views/saved-views.ts', '../screens/query-types.ts'),
  // Also for type imports and lazy imports.
  {
    ...imports('web/src/features/account/types.ts', ''),
    code: "import type { A } from '../map/a.ts';\nexport type B = A;",
  },
  { ...imports('web/src/features/account/lazy.ts', ''), code: "export const a = () => import('../map/a.ts');" },
  { ...imports('bff/src/screens/types.ts', ''), code: "import type { A } from '../service/a.ts';\nexport type B = A;" },
  // Libraries that belong to one module.
  imports('web/src/features/resources/mini-map.tsx', 'leaflet'),
  imports('web/src/routes/device.tsx', 'react-leaflet'),
  imports('web/src/features/map/contract.ts', '@swarmdeck/bff/contract'),
  imports('web/src/ui/field.tsx', '@swarmdeck/bff/contract'),
  imports('web/src/features/account/keys.ts', '@swarmdeck/bff/sign-in'),
  imports('web/src/api/server.ts', '../../../bff/src/http/problem.ts'),
  imports('web/src/api/schemas.ts', 'zod'),
  imports('bff/src/gateway/account.routes.ts', 'better-auth'),
  imports('bff/src/http/static-site.ts', '../../../web/src/main.tsx'),
  imports('e2e/specs/inside.spec.ts', '../../bff/src/app.ts'),
  imports('e2e/device-client.ts', '@swarmdeck/bff/contract'),
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
    file: 'bff/src/screens/value.ts',
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
    file: 'bff/src/gateway/floating.ts',
    code: 'async function send() {}\nexport function forget() {\n  send();\n}',
    rule: 'no-floating-promises',
  },
];

/** Imports that the same rules must allow. */
const allowed: { file: string; code: string }[] = [
  {
    ...imports('bff/src/gateway/main-types.ts', ''),
    code: "import type { Service } from '../service/service.ts';\nexport type Events = Service['events'];",
  },
  imports('web/src/main.tsx', './app/router.tsx'),
  imports('web/src/app/router.tsx', '../routes/start.tsx'),
  imports('web/src/routes/start.tsx', '../features/map/frame.tsx'),
  imports('web/src/features/map/frame.tsx', 'react-leaflet'),
  imports('web/src/features/map/frame-parts.tsx', '../../ui/icon.tsx'),
  imports('web/src/features/map/basemap/land.ts', '../basemap.css.ts'),
  imports('web/src/features/account/session-list.tsx', './sessions.api.ts'),
  imports('web/src/api/actions.ts', './problem.ts'),
  imports('bff/src/service/service.routes.ts', '../store/writer.queue.ts'),
  imports('bff/src/service/service.policy.ts', '../http/problem.ts'),
  imports('bff/src/service/service.events.ts', '../feed/feed.ts'),
  imports('bff/src/service/service.rates.ts', '../limits/rate.ts'),
  imports('bff/src/sign-in/people.ts', 'better-auth'),
  imports('bff/src/main.ts', './http/static-site.ts'),
  imports('web/src/features/account/form.ts', '@swarmdeck/bff/limits'),
  imports('bff/src/contract/events.schema.ts', './fields.schema.ts'),
  uses('bff/src/cli.ts', 'process.env.PORT', ''),
  {
    file: 'web/src/features/map/map.types.ts',
    code: "import type { MapView } from '@swarmdeck/bff/contract';\nexport type View = MapView;",
  },
];

function imports(file: string, from: string) {
  return { file, code: `import { one } from '${from}';\nexport const two = [one];`, rule: 'no-restricted-imports' };
}

function uses(file: string, expression: string, rule: string) {
  return { file, code: `export async function use() {\n  return ${expression};\n}`, rule };
}

describe('the module boundaries', () => {
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
    const rules = ['no-restricted-imports', 'no-restricted-globals', 'no-process-env', 'no-cycle'];
    expect((found.get(file) ?? []).filter((rule) => rules.includes(rule))).toEqual([]);
  });
});
