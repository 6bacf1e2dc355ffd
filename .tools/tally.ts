/**
 * Adds up the results of the test runners. Both can fail without counting a failed test: vitest does not count a file
 * that cannot be loaded; Playwright exits with 0 if tests were skipped, and reports a crashed server only in `errors`.
 */
import { basename } from 'node:path';

export interface Tally {
  passed: number;
  failed: number;
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

/** A file of vitest that failed before its first test, or beside them, is named instead. */
function failuresIn(report: unknown): string[] {
  if (isObject<VitestReport>(report, 'testResults'))
    return report.testResults
      .filter(({ status }) => status === 'failed')
      .flatMap(({ name, assertionResults }) => {
        const tests = assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title);
        return tests.length > 0 ? tests : [basename(name)];
      });
  const journeys = isObject<PlaywrightReport>(report, 'suites') ? report.suites.flatMap(journeysIn) : [];
  return journeys.filter(({ status }) => status === 'unexpected').map(({ title }) => title);
}

/** The files of vitest that failed. */
export const failedFiles = (report: unknown): string[] =>
  isObject<VitestReport>(report, 'testResults')
    ? report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
    : [];

/** More failures than this are a fault that repeating does not change. */
const mostRepeated = 5;
/** How often a failed test runs again, under the same load. */
export const repeats = 5;

/**
 * Runs the failed tests of a run again. If all pass each time, they count as passed, and are named: the product or the test is wrong, and
 * nobody else has to wait until it is found. The long run repeats nothing: it looks for what fails once in a while.
 */
export async function repeatFailed(options: {
  first: Tally;
  report: unknown;
  repeat: (titles: string[]) => Promise<Tally>;
}): Promise<Tally> {
  const { first, report, repeat } = options;
  const titles = failuresIn(report);
  const isLong = process.env.SWARMDECK_LONG === '1';
  if (isLong || titles.length === 0 || titles.length !== first.failed || titles.length > mostRepeated) return first;
  if ((await repeat(titles)).failed > 0) return first;
  for (const title of titles) console.log(`Failed, and then passed ${repeats} times: ${title}`);
  return { passed: first.passed + first.failed, failed: 0 };
}

/** The tests that failed, one per line: the end of the output is what is read first. */
export function failedTests({ vitest, playwright }: { vitest: unknown; playwright: unknown }): string {
  return [vitest, playwright].flatMap((report) => failuresIn(report).map((title) => `Failed: ${title}\n`)).join('');
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
  const sum = { passed: 0, failed: 0 };
  for (const { passed, failed } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
  }
  return sum;
}

/** The last line of a run. */
export const sumOf = ({ passed, failed }: Tally) => `${passed} passed, ${failed} failed`;

/** A runner that ran no test, or that failed without naming a test, counts as failed. */
function neverSilent({ passed, failed, code }: Tally & { code: number }): Tally {
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
}

function isObject<T>(value: unknown, member: keyof T): value is T {
  return typeof value === 'object' && value !== null && member in value;
}
