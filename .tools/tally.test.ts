import { expect, test, vi } from 'vitest';
import {
  failedTests,
  plus,
  repeatFailed,
  slowestTests,
  sumOf,
  tallyPlaywright,
  tallyVitest,
  type Tally,
} from './tally.ts';

const file = (status: string, tests: number) => ({ status, assertionResults: Array.from({ length: tests }) });
const stats = (counts: object) => ({
  stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...counts },
  errors: [],
});

test('skipped and todo tests count as failed', () => {
  const report = { numPassedTests: 5, numTotalTests: 8, testResults: [file('passed', 8)] };
  expect(tallyVitest({ report, code: 0 })).toEqual({ passed: 5, failed: 3 });
  expect(tallyPlaywright({ report: stats({ expected: 4, skipped: 2 }), code: 0 })).toEqual({ passed: 4, failed: 2 });
});

test('a file that cannot be loaded counts as failed', () => {
  const report = { numPassedTests: 5, numTotalTests: 5, testResults: [file('passed', 5), file('failed', 0)] };
  expect(tallyVitest({ report, code: 1 })).toEqual({ passed: 5, failed: 1 });
});

test('a flaky test counts as failed', () => {
  const report = stats({ expected: 4, unexpected: 1, flaky: 1 });
  expect(tallyPlaywright({ report, code: 1 })).toEqual({ passed: 4, failed: 2 });
});

test('an error outside of every test counts as failed', () => {
  const report = { ...stats({ expected: 4 }), errors: [{ message: 'the server ended early' }] };
  expect(tallyPlaywright({ report, code: 0 })).toEqual({ passed: 4, failed: 1 });
});

test('a runner that exits with an error, reports nothing or runs no test counts as failed', () => {
  const passing = { numPassedTests: 5, numTotalTests: 5, testResults: [file('passed', 5)] };
  expect(tallyVitest({ report: passing, code: 1 })).toEqual({ passed: 5, failed: 1 });
  expect(tallyVitest({ report: undefined, code: 0 })).toEqual({ passed: 0, failed: 1 });
  expect(tallyPlaywright({ report: undefined, code: 0 })).toEqual({ passed: 0, failed: 1 });
  expect(tallyPlaywright({ report: stats({}), code: 0 })).toEqual({ passed: 0, failed: 1 });
});

test('a run of vitest without a test file fails only if it had to have one', () => {
  const report = { numPassedTests: 0, numTotalTests: 0, testResults: [] };
  expect(tallyVitest({ report, code: 0, mayBeEmpty: true })).toEqual({ passed: 0, failed: 0 });
  expect(tallyVitest({ report, code: 0 })).toEqual({ passed: 0, failed: 1 });
  expect(tallyVitest({ report, code: 1, mayBeEmpty: true })).toEqual({ passed: 0, failed: 1 });
  expect(tallyVitest({ report: undefined, code: 0, mayBeEmpty: true })).toEqual({ passed: 0, failed: 1 });
});

test('tallies are added up', () => {
  const sum = plus({ passed: 1, failed: 0 }, { passed: 2, failed: 3 });
  expect(sum).toEqual({ passed: 3, failed: 3 });
  expect(sumOf(sum)).toBe('3 passed, 3 failed');
});

test('the slowest tests of both runners are listed', () => {
  const vitest = {
    testResults: [
      {
        status: 'passed',
        assertionResults: [
          { title: 'unit', duration: 2500 },
          { title: 'quick', duration: 1 },
        ],
      },
    ],
  };
  const spec = { title: 'journey', tests: [{ projectName: 'phone', results: [{ duration: 61_000 }] }] };
  const playwright = { stats: {}, suites: [{ specs: [], suites: [{ specs: [spec] }] }] };
  expect(slowestTests({ vitest, playwright }, 2)).toBe('   61.0 s  journey (phone)\n    2.5 s  unit');
  expect(slowestTests({ vitest: undefined, playwright: undefined })).toBe('');
});

test('the end of a run names what failed', () => {
  const vitest = {
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { title: 'a', status: 'failed' },
          { title: 'b', status: 'passed' },
        ],
      },
    ],
  };
  expect(failedTests({ vitest, playwright: undefined })).toBe('Failed: a\n');
});

test('a failed test passes if it passes each time that it runs again; many failures are not repeated', async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  const failing = (count: number) => ({
    testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults: tests(count) }],
  });
  const tests = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `t${n}`, status: 'failed' }));
  const first = { passed: 3, failed: 2 };
  const passing = vi.fn<() => Promise<Tally>>(async () => ({ passed: 2, failed: 0 }));
  expect(await repeatFailed({ first, report: failing(2), repeat: passing })).toEqual({ passed: 5, failed: 0 });
  expect(console.log).toHaveBeenCalledWith('Failed, and then passed 5 times: t1');
  const stillFailing = async () => ({ passed: 1, failed: 1 });
  expect(await repeatFailed({ first, report: failing(2), repeat: stillFailing })).toBe(first);
  passing.mockClear();
  const many = { passed: 3, failed: 6 };
  expect(await repeatFailed({ first: many, report: failing(6), repeat: passing })).toBe(many);
  // Something failed outside of the tests, too.
  expect(await repeatFailed({ first, report: failing(1), repeat: passing })).toBe(first);
  expect(passing).not.toHaveBeenCalled();
});
