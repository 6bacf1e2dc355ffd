/**
 * `npm run check`, the quick loop: format, lint, types and the tests of what changed since the branch left main. `npm test`
 * runs all tests. `--journeys` also runs changed journeys ten times, with twice as many workers as `npm test`.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { baseCommit, changedFiles } from './changed.ts';
import { runQuickChecks } from './checks.ts';
import { runJourneys } from './journeys.ts';
import { root, run } from './run.ts';
import { plus, sumOf } from './tally.ts';

const base = baseCommit();
const changed = changedFiles(base);
const specs = changed.filter((file) => /^e2e\/specs\/.*\.spec\.ts$/.test(file));
let sum = await runQuickChecks({ base, changed });
if (specs.length > 0 && process.argv.includes('--journeys')) {
  const load = [`--workers=${3 * availableParallelism()}`, '--repeat-each=10'];
  const report = join(root, 'test-results/playwright-changed.json');
  // `npm run check` itself builds nothing, so the web app may be older than its sources
  const { code } = await run({ command: process.execPath, args: [join(root, '.tools/prepare.mjs')], loud: true });
  sum = plus(
    sum,
    code === 0
      ? await runJourneys({ report, only: [...specs, ...load], repeatsFailed: false })
      : { passed: 0, failed: 1 },
  );
} else if (specs.length > 0) {
  console.log(
    `\nRun \`npm run check -- --journeys\` before you push: it runs ten times, under load, ${specs.join(', ')}`,
  );
}
console.log(`\n${sumOf(sum)}`);
process.exitCode = sum.failed === 0 ? 0 : 1;
