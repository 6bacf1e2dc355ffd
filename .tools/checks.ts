import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { bundleServer } from './release.ts';
import { root, run } from './run.ts';
import { failedFiles, plus, repeatFailed, repeats, tallyVitest, type Tally } from './tally.ts';

const isLong = process.env.SWARMDECK_LONG === '1';
export const vitestReport = join(root, 'test-results/vitest.json');
const again = join(root, 'test-results/vitest-again.json');
const figures = join(root, 'test-results/figures.txt');
/** Of the sources of this run: a command that a test starts loads in two thirds of the time. Two folders below the root (installation.ts). */
const bundle = join(root, '.cache/server');
/**
 * The seed of all property tests. It is always the same, so that a change is not refused for a fault that was there
 * before it; the long run finds those.
 */
const seed = process.env.SWARMDECK_SEED ?? (isLong ? String(Math.floor(Math.random() * 2 ** 31)) : '20261123');
const listOf = (names: string[]) => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
const bin = (name: string) => join(root, 'node_modules/.bin', name);

const packages = ['bff', 'web', 'e2e'];

/** The checks without a browser. Each counts as one test. */
const checksOf = (packages: string[]) => [
  { name: 'format', command: bin('oxfmt'), args: ['--check', '.'] },
  // one program for both: to build and bind the types of all files takes most of the time of either
  ...(packages.length > 0
    ? [{ name: `lint and types of ${listOf(packages)}`, command: bin('oxlint'), args: ['--type-check', ...packages] }]
    : []),
  // oxlint does not find the `tsconfig.json` of a hidden folder
  {
    name: 'lint of .tools',
    command: bin('oxlint'),
    args: ['.tools', '.vitest.config.ts', '.vitest.mutation.config.ts'],
  },
  { name: 'types of .tools', command: bin('tsc'), args: ['-p', '.tools'] },
];

/** Each can be deleted: the types of the server without it. `npm test` checks the first three in one copy. */
const registry = readFileSync(join(root, 'bff/src/capabilities.ts'), 'utf8');
const capabilities = [...registry.matchAll(/'\.\/capabilities\/([^/]+)\//g)].map(([, name = '']) => name);
const without = (...names: string[]) => ({
  name: `types of the server without ${listOf(names)}`,
  command: process.execPath,
  args: [join(root, '.tools/without.ts'), ...names],
});

/** Format, lint, types and the tests that need no browser; prints a line for each, and everything of what failed. */
export async function runChecks(): Promise<Tally> {
  const copies = isLong ? capabilities.map((name) => without(name)) : [without(...capabilities.slice(0, 3))];
  return plus(await runStaticChecks([...checksOf(packages), ...copies]), await runVitest());
}

/** They read every file, so no import tells whether a change concerns them. */
const rules = ['.tools/words.test.ts', '.tools/modules.test.ts'];

const orders = ['bff/src/core/feed/change-feed.test.ts', 'bff/src/tests/races.test.ts'];
const events = ['events', 'events-access'].map((name) => `bff/src/core/events/${name}.http.test.ts`);
const guests = ['guests', 'swarm-links'].map((name) => `bff/src/capabilities/guests/${name}.http.test.ts`);
/** What a change of the server can break beside the tests that import it. Each runs on the stores of its projects. */
export const furtherTests = [
  {
    what: 'rights and the contract on SQLite',
    isOf: /^bff\/src\//,
    projects: ['http'],
    files: ['bff/src/tests/authorisation.test.ts', 'bff/src/tests/contract.test.ts'],
  },
  {
    what: 'the feed and races on PostgreSQL',
    isOf: /^bff\/src\/core\/(store|feed)\/|\.store\.ts$/,
    projects: ['postgres'],
    files: orders,
  },
  {
    what: 'events and guests on both stores',
    isOf: /^bff\/src\/core\/store\/schema\/triggers/,
    projects: ['http', 'postgres'],
    files: [...events, ...guests],
  },
];

/** The packages whose lint and types a change concerns: those of its files, and all if others import these or their settings. */
export function packagesOf(changed: string[]): string[] {
  const { exports: exported } = readJson(join(root, 'bff/package.json')) as { exports: Record<string, string> };
  const isShared = (file: string) =>
    !file.includes('/src/') && /\.(json|yaml)$/.test(file)
      ? !file.startsWith('e2e/data/')
      : /^bff\/src\/(core\/contract\/|capabilities\/[^/]+\/contract\.ts$)/.test(file) ||
        Object.values(exported).some((path) => matchesGlob(file, join('bff', path)));
  return changed.some(isShared)
    ? packages
    : packages.filter((name) => changed.some((file) => file.startsWith(`${name}/`)));
}

/**
 * The same with the tests of what differs from a commit: the unit tests that import it, the rules of words and modules,
 * changed HTTP tests, and those that find what these do not. All HTTP tests import the whole server. Says what did not run.
 */
export async function runQuickChecks({ base, changed }: { base: string; changed: string[] }): Promise<Tally> {
  const http = changed.filter((file) => /^bff\/src\/(.*\.http|tests\/.*)\.test\.ts$/.test(file));
  const touched = capabilities.filter((name) =>
    changed.some((file) => file.startsWith(`bff/src/capabilities/${name}/`)),
  );
  const checked = packagesOf(changed);
  const further = furtherTests.filter(({ isOf }) =>
    changed.some((file) => isOf.test(file) && !file.includes('.test.')),
  );
  const tallies = [
    await runStaticChecks([...checksOf(checked), ...touched.map((name) => without(name))]),
    await runVitestOnce({
      what: 'unit tests of what changed',
      args: [`--changed=${base}`, '--passWithNoTests', '--project=bff', '--project=web', '--project=tools'],
    }),
    await runVitestOnce({ what: 'rules of words and modules, changed HTTP tests', args: [...rules, ...http] }),
  ];
  for (const { what, projects, files } of further)
    tallies.push(await runVitestOnce({ what, args: [...projects.map((name) => `--project=${name}`), ...files] }));
  const left = packages.filter((name) => !checked.includes(name));
  const missing = [
    ...(left.length > 0 ? [`lint and types of ${listOf(left)}`] : []),
    ...furtherTests.filter((tests) => !further.includes(tests)).map(({ what }) => what),
    'all other HTTP tests',
    'journeys',
  ];
  console.log(`\nNot run: ${missing.join('; ')}. \`npm test\` runs everything.`);
  return plus(...tallies);
}

async function runStaticChecks(all: ReturnType<typeof checksOf>): Promise<Tally> {
  const checked = await Promise.all(
    all.map(async ({ name, command, args }) => {
      const { code, output, seconds } = await run({ command, args });
      say({ name, ok: code === 0, seconds, output });
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
    }),
  );
  return plus(...checked);
}

async function runVitest(): Promise<Tally> {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  rmSync(figures, { force: true });
  rmSync(bundle, { recursive: true, force: true });
  await bundleServer(bundle);
  const env = { SWARMDECK_BUNDLE: bundle };
  const what = 'unit and HTTP tests';
  const first = await runVitestOnce({ what, env });
  const report = readJson(vitestReport);
  const tally = await repeatFailed({
    first,
    report,
    async repeat() {
      const files = failedFiles(report);
      const repeated = { what: `${what} of the failed files, again`, report: again, args: files, env };
      let last = await runVitestOnce(repeated);
      for (let run = 1; run < repeats && last.failed === 0; run += 1) last = await runVitestOnce(repeated);
      return last;
    },
  });
  if (existsSync(figures)) console.log(readFileSync(figures, 'utf8'));
  return tally;
}

async function runVitestOnce(options: {
  what: string;
  report?: string;
  args?: string[];
  env?: Record<string, string>;
}): Promise<Tally> {
  const { what, report = vitestReport, args = [], env = {} } = options;
  rmSync(report, { force: true });
  const { code, output, seconds } = await run({
    command: bin('vitest'),
    args: [
      'run',
      '--config',
      '.vitest.config.ts',
      '--reporter=minimal',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    env: { ...process.env, SWARMDECK_SEED: seed, SWARMDECK_FIGURES: figures, ...env },
  });
  const tally = tallyVitest({ report: readJson(report), code, mayBeEmpty: args.includes('--passWithNoTests') });
  const name = `${what}, seed ${seed}: ${tally.passed} passed, ${tally.failed} failed`;
  say({ name, ok: tally.failed === 0, seconds, output });
  return tally;
}

export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function say(part: { name: string; ok: boolean; seconds: number; output: string }) {
  console.log(`${part.ok ? '  ok ' : 'FAIL '} ${part.name} (${part.seconds.toFixed(1)} s)`);
  if (!part.ok) console.log(part.output);
}
