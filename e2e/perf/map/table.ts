import type { Measured } from './measure.ts';

const columns: [string, (of: (what: keyof Measured) => number, memory: number) => string][] = [
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

export function headsOfTable(): string {
  return `| map | ${columns.map(([head]) => head).join(' | ')} |\n|---|${'---|'.repeat(columns.length)}`;
}

export function rowOfTable(row: { name: string; of: (what: keyof Measured) => number; memory: number }): string {
  return `| ${row.name} | ${columns.map(([, cell]) => cell(row.of, row.memory)).join(' | ')} |`;
}

function whole(value: number): string {
  return value.toFixed(0);
}

/** Shorter ones a browser does not tell. */
function task(ms: number): string {
  return ms === 0 ? 'under 50' : whole(ms);
}
