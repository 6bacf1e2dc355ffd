import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { circlesOf, refusedImports } from './modules.ts';

const root = dirname(import.meta.dirname);
// The tests of the whole server may import all of it.
const files = globSync(['web/src/**/*.{ts,tsx}', 'bff/src/**/*.ts'], { cwd: root, exclude: ['bff/src/tests/**'] });

test('each module imports only what the table allows', () => {
  const refused = files.flatMap((file) =>
    refusedImports({ file, code: readFileSync(join(root, file), 'utf8') }).map((name) => `${file}: ${name}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(refused).toEqual([]);
});

test('an endpoint leaves it to a use case to begin a write again', () => {
  const begins = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('countRetries('));
  expect(begins.length).toBeGreaterThan(5);
  expect(begins.filter((file) => file.endsWith('.routes.ts'))).toEqual([]);
});

test('no files import each other in a circle, with imports of types and those that are loaded later', () => {
  expect(circlesOf(new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])))).toEqual([]);
  const circle = [
    ['a.ts', "import type { B } from './b.ts';"],
    ['b.ts', "export const open = () => import('./c.ts');"],
    ['c.ts', "import { a } from './a.ts';"],
    ['d.ts', "import { a } from './a.ts';"],
  ] as const;
  expect(circlesOf(new Map(circle))).toEqual(['a.ts', 'b.ts', 'c.ts']);
});

test.each([
  // No imports from a higher layer.
  ['web/src/app/shell.tsx', '../main.tsx'],
  ['web/src/routes/home.tsx', '../app/router.tsx'],
  ['web/src/features/map/overlay.ts', '../../routes/home.tsx'],
  ['web/src/features/keys/keys.tsx', '../../app/shell.tsx'],
  ['web/src/shared/code-label.tsx', '../bulk/commands.tsx'],
  ['web/src/bulk/commands.tsx', '../features/map/overlay.ts'],
  ['web/src/ui/buttons/button.tsx', '../../features/map/overlay.ts'],
  ['web/src/ui/list.tsx', '../data/client.ts'],
  ['web/src/data/client.ts', '../ui/toasts/toast.tsx'],
  ['web/src/data/places/places.search.ts', '../../ui/toasts/toast.tsx'],
  ['web/src/text/text.ts', '../data/client.ts'],
  ['bff/src/app.ts', './main.ts'],
  ['bff/src/service/service.ts', '../app.ts'],
  ['bff/src/read-models/devices/device-query.ts', '../../core/config/config.ts'],
  ['bff/src/read-models/map/symbols.ts', '../../core/config/config.ts'],
  ['bff/src/core/store/writer.ts', '../keys/api-keys.store.ts'],
  ['bff/src/core/store/database.ts', '../http/problem-response.ts'],
  ['bff/src/core/store/row-types.ts', 'hono'],
  ['bff/src/core/store/row-types.ts', 'node:http'],
  ['bff/src/core/feed/change-feed.ts', '../keys/api-keys.store.ts'],
  ['bff/src/contract.ts', './core/store/row-types.ts'],
  ['bff/src/core/contract/swarms.schema.ts', '../http/problem-response.ts'],
  ['bff/src/core/limits/rate.ts', '../contract/swarms.schema.ts'],
  ['bff/src/core/http/problem-response.ts', '../../app.ts'],
  ['bff/src/capabilities/device-files/csv-parser.ts', '../../app.ts'],
  // Nor between modules of one layer.
  ['web/src/features/devices/form.tsx', '../map/device-map.tsx'],
  ['web/src/features/map/basemap/tiles.ts', '../../devices/form.tsx'],
  ['bff/src/core/resources/resources.routes.ts', '../../gateway/gateway.ts'],
  ['bff/src/core/gateway/gateway.ts', '../accounts/session-cookie.ts'],
  // Nor of the core from what is around it.
  ['bff/src/core/members/members.store.ts', '../../capabilities/join-links/join-links.store.ts'],
  ['bff/src/core/store/row-types.ts', '../../capabilities/values/values.store.ts'],
  ['bff/src/capabilities/tracks/tracks.routes.ts', '../values/values.store.ts'],
  ['bff/src/read-models/devices/devices.routes.ts', '../../core/resources/resources.store.ts'],
  ['bff/src/core/accounts/auth.ts', '../gateway/gateway-keys.store.ts'],
  ['bff/src/capabilities/demo/demo.ts', '../values/values.store.ts'],
  ['bff/src/capabilities/demo/values.ts', '../../service/service.ts'],
  ['bff/src/saved-views/saved-views.ts', '../read-models/devices/device-query.ts'],
  // Libraries and parts of the server that only some modules may use.
  ['web/src/features/devices/mini-map.tsx', 'leaflet'],
  ['web/src/features/devices/mini-map.tsx', 'leaflet/dist/leaflet.css'],
  ['web/src/routes/device.tsx', 'react-leaflet'],
  ['web/src/features/map/contract.ts', '@swarmdeck/bff/contract'],
  ['web/src/ui/fields/field.tsx', '@swarmdeck/bff/contract'],
  ['web/src/features/account/keys.ts', '@swarmdeck/bff/sign-in'],
  ['web/src/data/server.ts', '../../../bff/src/core/http/problem-response.ts'],
  ['web/src/data/schemas.ts', 'zod'],
  ['bff/src/core/http/static-site.ts', '../../../web/src/main.tsx'],
  // Tests keep the boundaries too.
  ['bff/src/service/service.test.ts', '../gateway/gateway.ts'],
  // A new module needs a line of its own.
  ['bff/src/new/new.ts', 'hono'],
])('%s may not import %s', (file, from) => {
  expect(refusedImports({ file, code: `import { one } from '${from}';` })).toHaveLength(1);
});

test.each([
  "import type { A } from '../service/a.ts';",
  "import { type A } from '../service/a.ts';",
  "export * from '../service/a.ts';",
  "import {\n  one,\n  two,\n} from '../service/a.ts';",
  "import '../service/a.ts';",
  "export const a = () => import('../service/a.ts');",
])('an import is found in: %s', (code) => {
  expect(refusedImports({ file: 'bff/src/read-models/read-models.ts', code })).toHaveLength(1);
});

test('of the main file of another module, only types may be imported', () => {
  const file = 'bff/src/core/gateway/main-types.ts';
  expect(refusedImports({ file, code: "import type { Service } from '../../service/service.ts';" })).toEqual([]);
  expect(refusedImports({ file, code: "import { createService } from '../../service/service.ts';" })).toHaveLength(1);
});
