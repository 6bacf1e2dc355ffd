/**
 * Adds up the results of the test runners. Both can fail without counting a failed test: vitest does not count a file
 * that cannot be loaded; Playwright exits with 0 if tests were skipped, and reports a crashed server only in `errors`.
 */
export interface Tally {
  passed: number;
  failed: number;
}

interface VitestReport {
  numPassedTests: number;
  numTotalTests: number;
  testResults: { status: string; assertionResults: { title: string; duration?: number }[] }[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { projectName: string; results: { duration: number }[] }[] }[];
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

export function tallyVitest({ report, code }: { report: unknown; code: number }): Tally {
  if (!isObject<VitestReport>(report, 'testResults')) return { passed: 0, failed: 1 };
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = report.numTotalTests - report.numPassedTests + unloaded.length;
  return neverSilent({ passed: report.numPassedTests, failed, code });
}

export function tallyPlaywright({ report, code }: { report: unknown; code: number }): Tally {
  if (!isObject<PlaywrightReport>(report, 'stats')) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return neverSilent({ passed: expected, failed: unexpected + flaky + skipped + report.errors.length, code });
}

/** The slowest tests, one per line, with their seconds. */
export function slowestTests(reports: { vitest: unknown; playwright: unknown }, count = 10): string {
  const { vitest, playwright } = reports;
  const units = isObject<VitestReport>(vitest, 'testResults')
    ? vitest.testResults.flatMap(({ assertionResults }) =>
        assertionResults.map(({ title, duration = 0 }) => ({ title, duration })),
      )
    : [];
  const journeys = isObject<PlaywrightReport>(playwright, 'suites') ? playwright.suites.flatMap(durationsIn) : [];
  return [...units, ...journeys]
    .sort((a, b) => b.duration - a.duration)
    .slice(0, count)
    .map(({ title, duration }) => `${(duration / 1000).toFixed(1).padStart(7)} s  ${title}`)
    .join('\n');
}

function durationsIn({ suites = [], specs }: PlaywrightSuite): { title: string; duration: number }[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.map(({ projectName, results }) => ({
      title: `${title} (${projectName})`,
      duration: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  );
  return [...own, ...suites.flatMap(durationsIn)];
}

export function plus(...tallies: Tally[]): Tally {
  const sum = { passed: 0, failed: 0 };
  for (const { passed, failed } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
  }
  return sum;
}

/** A runner that ran no test, or that failed without naming a test, counts as failed. */
function neverSilent({ passed, failed, code }: Tally & { code: number }): Tally {
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
}

function isObject<T>(value: unknown, member: keyof T): value is T {
  return typeof value === 'object' && value !== null && member in value;
}
