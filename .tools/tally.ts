/**
 * Adds up the results of the test runners. Both can fail without counting a failed test: vitest does not count a file
 * that cannot be loaded; Playwright exits with 0 if tests were skipped, and reports a crashed server only in `errors`.
 */
import { basename } from 'node:path';

export interface Tally {
  passed: number;
  failed: number;
  /** Tests that failed, and then passed each time. They count as passed (unstable.ts). */
  unstable?: string[];
}

interface VitestReport {
  numPassedTests: number;
  numTotalTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { title: string; status: string; duration?: number }[];
  }[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { projectName: string; status: string; results: { duration: number }[] }[] }[];
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/** `mayBeEmpty`: a run without a test file, as vitest ends it with `--passWithNoTests`, has no failure. */
export function tallyVitest(run: { report: unknown; code: number; mayBeEmpty?: boolean }): Tally {
  const { report, code, mayBeEmpty = false } = run;
  if (!isObject<VitestReport>(report, 'testResults')) return { passed: 0, failed: 1 };
  if (mayBeEmpty && code === 0 && report.testResults.length === 0) return { passed: 0, failed: 0 };
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = report.numTotalTests - report.numPassedTests + unloaded.length;
  return neverSilent({ passed: report.numPassedTests, failed, code });
}

export function tallyPlaywright({ report, code }: { report: unknown; code: number }): Tally {
  if (!isObject<PlaywrightReport>(report, 'stats')) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return neverSilent({ passed: expected, failed: unexpected + flaky + skipped + report.errors.length, code });
}

/**
 * The tests that failed, and their files with vitest. There a file whose preparation failed is one failure with its
 * skipped tests.
 */
function failuresIn(report: unknown): { files: string[]; titles: string[]; count: number } {
  if (isObject<VitestReport>(report, 'testResults')) {
    const failed = report.testResults.filter(({ status }) => status === 'failed');
    const titles = failed.flatMap(({ name, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title);
      return tests.length > 0 ? tests : [basename(name)];
    });
    const counts = failed.map(({ assertionResults: tests }) =>
      Math.max(Number(tests.length === 0), tests.filter(({ status }) => status !== 'passed').length),
    );
    return { files: failed.map(({ name }) => name), titles, count: counts.reduce((sum, count) => sum + count, 0) };
  }
  const journeys = isObject<PlaywrightReport>(report, 'suites') ? report.suites.flatMap(journeysIn) : [];
  const titles = journeys.filter(({ status }) => status === 'unexpected').map(({ title }) => title);
  return { files: [], titles, count: titles.length };
}

/** More failures than this are a fault that repeating does not change. */
const mostRepeated = 5;

/** How often a failed test runs again, under the same load. */
export const repeats = 5;

/**
 * Runs the failed tests of a run again, five times. If all pass then, they count as passed, and are named at the end of
 * the run, because the product or the test is wrong. The long run repeats nothing: it looks for what fails once in a while.
 */
export async function repeatFailed(options: {
  first: Tally;
  report: unknown;
  repeat: (files: string[]) => Promise<Tally>;
}): Promise<Tally> {
  const { first, report, repeat } = options;
  const { files, titles, count } = failuresIn(report);
  const isLong = process.env.SWARMDECK_LONG === '1';
  if (isLong || count === 0 || count !== first.failed || titles.length > mostRepeated) return first;
  const second = await repeat(files);
  if (second.failed > 0) return first;
  return { passed: first.passed + first.failed, failed: 0, unstable: titles };
}

/** The tests that failed, one per line: the end of the output is what is read first. */
export function failedTests({ vitest, playwright }: { vitest: unknown; playwright: unknown }): string {
  return [vitest, playwright]
    .flatMap((report) => failuresIn(report).titles.map((title) => `Failed: ${title}\n`))
    .join('');
}

/** The slowest tests, one per line, with their seconds. */
export function slowestTests(reports: { vitest: unknown; playwright: unknown }, count = 10): string {
  const { vitest, playwright } = reports;
  const units = isObject<VitestReport>(vitest, 'testResults')
    ? vitest.testResults.flatMap(({ assertionResults }) =>
        assertionResults.map(({ title, duration = 0 }) => ({ title, duration })),
      )
    : [];
  const journeys = isObject<PlaywrightReport>(playwright, 'suites') ? playwright.suites.flatMap(journeysIn) : [];
  return [...units, ...journeys]
    .sort((a, b) => b.duration - a.duration)
    .slice(0, count)
    .map(({ title, duration }) => `${(duration / 1000).toFixed(1).padStart(7)} s  ${title}`)
    .join('\n');
}

function journeysIn({ suites = [], specs }: PlaywrightSuite): { title: string; status: string; duration: number }[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.map(({ projectName, status, results }) => ({
      title: `${title} (${projectName})`,
      status,
      duration: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  );
  return [...own, ...suites.flatMap(journeysIn)];
}

export function plus(...tallies: Tally[]): Tally {
  const sum = { passed: 0, failed: 0, unstable: [] as string[] };
  for (const { passed, failed, unstable = [] } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
    sum.unstable.push(...unstable);
  }
  return sum;
}

/** The last lines of a run. */
export function sumOf({ passed, failed, unstable = [] }: Tally): string {
  const again = unstable.map(
    (title) => `Failed, and then passed five times (see .tools/unstable-tests.txt): ${title}\n`,
  );
  return `${again.join('')}\n${passed} passed, ${failed} failed`;
}

/** A runner that ran no test, or that failed without naming a test, counts as failed. */
function neverSilent({ passed, failed, code }: Tally & { code: number }): Tally {
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
}

function isObject<T>(value: unknown, member: keyof T): value is T {
  return typeof value === 'object' && value !== null && member in value;
}
