import type { Measured } from './measure.ts';

/** The median of one measurement over all rounds. */
export type Medians = (what: keyof Measured) => number;

/** What a user waits for, each with its favourable column: the network and the start of the page left out. */
const ratios: [string, keyof Measured][] = [
  ['first paint from navigation', 'shown'],
  ['with data in hand', 'fromData'],
  ['1,000 moves until seen', 'moved'],
  ['with the moves in hand', 'movedFromData'],
  ['until drawn', 'movedDrawn'],
];

const columns: [string, (of: Medians, memory: number) => string][] = [
  ['first paint, ms from navigation', (of) => whole(of('shown'))],
  ['with data in hand', (of) => whole(of('fromData'))],
  ['longest task, ms', (of) => task(of('longest'))],
  ['1,000 moves until seen, ms', (of) => whole(of('moved'))],
  ['with the moves in hand', (of) => whole(of('movedFromData'))],
  ['until drawn', (of) => whole(of('movedDrawn'))],
  ['p95 frame, 5 x 1,000 moves/s, ms', (of) => of('frame').toFixed(1)],
  ['longest task then, ms', (of) => task(of('longestMoving'))],
  ['memory over an empty map, MB', (_of, memory) => whole(memory)],
  ['JS heap, MB', (of) => whole(of('heap'))],
  ['bytes of devices', (of) => of('bytes').toLocaleString('en')],
];

export function tableHeader(): string {
  return `| map | ${columns.map(([head]) => head).join(' | ')} |\n|---|${'---|'.repeat(columns.length)}`;
}

export function tableRow(row: { name: string; of: Medians; memory: number }): string {
  return `| ${row.name} | ${columns.map(([, cell]) => cell(row.of, row.memory)).join(' | ')} |`;
}

/** How many times longer each other map takes. */
export function ratioTable({ ours, others }: { ours: Medians; others: { name: string; of: Medians }[] }): string {
  const header = `| times Swarmdeck's | ${ratios.map(([head]) => head).join(' | ')} |\n|---|${'---|'.repeat(ratios.length)}`;
  const rows = others.map(
    ({ name, of }) => `| ${name} | ${ratios.map(([, what]) => (of(what) / ours(what)).toFixed(1)).join(' | ')} |`,
  );
  return [header, ...rows].join('\n');
}

function whole(value: number): string {
  return value.toFixed(0);
}

/** A browser reports no tasks shorter than 50 ms. */
function task(ms: number): string {
  return ms === 0 ? 'under 50' : whole(ms);
}
