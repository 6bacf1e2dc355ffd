/** Prints the page of all limits for operators, deploy/LIMITS.md: `npm run limits-page` writes it, and a test compares it. */
import { limitsTables, storedRows, withCapabilities } from '../collect.ts';
import { actionLimits, messageLimits } from './field-rules.ts';
import type { MemoryRow, RateRow, StoredRow } from './limit-rows.ts';
import { inDigits, queueTable, quotaTable, rateTable, slotTable } from './limit-tables.ts';
import { operationLimits } from './operation-limits.ts';
import type { OperationLimits } from './operation-rows.ts';
import { invitationLimits, memoryTable, signInLimits } from './part-limits.ts';
import { quotasOf } from './quotas.ts';

type Row = readonly string[];

/** As `npm run format` aligns it. */
function table(head: Row, rows: readonly Row[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]!.length)));
  const lines = [head, widths.map((width) => '-'.repeat(width)), ...rows];
  return lines.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`).join('\n');
}

const inMiB = (bytes: number) => `${bytes / 1024 ** 2} MiB`;
const amountOf = (most: number, { isInBytes }: RateRow) => (isInBytes ? inMiB(most) : inDigits(most));
const burstOf = ({ most, burst }: RateRow) => `${inDigits(most)}, bursts of ${inDigits(burst)}`;

const rates = Object.entries<RateRow>(rateTable).map(([name, row]) => [
  `\`${name}_per_${row.per}\``,
  row.who,
  row.what,
  amountOf(row.most, row),
  amountOf(row.burst, row),
]);

const countOf = ({ what, who, most }: { what: string; who: string; most: number }) => [what, who, inDigits(most)];

const rateRows: Readonly<Record<string, RateRow>> = rateTable;
const ofCapabilities = limitsTables
  .map((tableOf) => tableOf({ inDigits, inMiB, burstOf: (rate) => burstOf(rateRows[rate]!) }))
  .map(({ title, rows }) => `## ${title}\n\n${table(['limit', ''], rows)}\n\n`)
  .join('');

const operations = Object.entries<OperationLimits>(operationLimits).map(([operation, { body, runs, rows }]) => [
  `\`${operation}\``,
  ...(body ? [`${body.bytes / 1024} KiB`, `${body.items}`] : ['', '']),
  runs,
  `${rows}`,
]);

/** What may be stored besides what `QUOTAS` multiplies: of each, what, most. */
const alsoStored: readonly StoredRow[] = [
  ['user', 'actions that have not ended', actionLimits.open],
  ['user', 'items of these actions', actionLimits.items],
  ['user', 'bytes of these actions, and of those that have ended', actionLimits.bytes],
  ['user', 'actions that have ended', actionLimits.ended],
  ['user', 'bytes of messages', quotasOf(1).swarms * messageLimits.sharedBytes],
  ['user', 'answered invitations that the user has sent', invitationLimits.answeredOfSender],
  ['device', 'answered invitations to one swarm for one role', invitationLimits.answeredOfDevice],
  ['user', 'sessions', signInLimits.sessions],
  ...storedRows,
];

const stored = [
  ...Object.entries(quotaTable).map(([name, { who, what, most }]) => [`\`${name}\``, who, what, inDigits(most)]),
  ...alsoStored.map(([who, what, most]) => ['', who, what, inDigits(most)]),
];

process.stdout.write(`# All limits

What holds with the default settings. The [page for operators](README.md#what-a-user-may-do-at-once) says what happens beyond a limit.
\`npm run limits-page\` writes this page from the tables of the server: change those.

## What a user may do at once

\`RATE_LIMIT\` multiplies these rates, and what is answered at once. \`swarmdeck limits\` prints the rates.

${table(['rate', 'of each', 'what', 'most', 'at once'], rates)}

${table(['answered at once', 'of each', 'most'], Object.values(slotTable).map(countOf))}

Requests that wait for something else than the server are not counted there: event streams have a quota, and receivers of messages a
limit of their device. A request that needs its turn in a queue is refused if so many of its user wait:

${table(['what waits', 'of each', 'most'], Object.values(queueTable).map(countOf))}

${ofCapabilities}## What a process remembers

Beyond these numbers, a process forgets what was stored longest ago, and reads it again. An entry that only counts or pauses, such as
one of a rate, is stored again with each use.

${table(
  ['what', 'most'],
  Object.values<MemoryRow>(withCapabilities('memory', memoryTable)).map(({ what, most }) => [what, inDigits(most)]),
)}

## What a user may store

\`QUOTAS\` multiplies the rows with a name.

${table(['quota', 'of each', 'what', 'most'], stored)}

## What a request may send and read

\`runs\` says where the work is done that grows with what the user has: in the \`reader\` or the \`index\` thread, where users take turns; on
the main thread in \`chunks\`, each in a turn of its own and when the client has read the one before; in one commit of the \`writer\`; in
chunks of 100 items (\`actions\`); or in the threads for passwords (\`hash\`). \`main\` means that nothing grows. \`rows\` is how many rows one
statement reads on the main thread, at most.

${table(['operation', 'body', 'items', 'runs', 'rows'], operations)}
`);
