import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';
import type { Tally } from './tally.ts';

/** Committed: the tests that failed, and then passed five times. Each line is a day (UTC) and a title. */
const unstableTests = join(root, '.tools/unstable-tests.txt');

/** In ms: 30 days. */
const remembered = 30 * 24 * 3600 * 1000;

/** Appends the unstable tests of a run to the file. One that it has from the last 30 days counts as failed. */
export function recordUnstable(sum: Tally, { file = unstableTests, now = new Date() } = {}): Tally {
  const { passed, failed, unstable = [] } = sum;
  if (unstable.length === 0) return sum;
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const recent = lines.filter((line) => now.getTime() - Date.parse(line.slice(0, 10)) < remembered);
  const titles = new Set(recent.map((line) => line.slice(11)));
  const again = unstable.filter((title) => titles.has(title)).length;
  appendFileSync(file, unstable.map((title) => `${now.toISOString().slice(0, 10)} ${title}\n`).join(''));
  return { passed: passed - again, failed: failed + again, unstable };
}
