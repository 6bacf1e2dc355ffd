/** What the hour was like: as a table, as slopes and as a curve. */
import type { WallWatch } from './watch.ts';

export interface Sample extends Pick<WallWatch, 'frames' | 'tasks'> {
  /** Minutes since the wall was there. */
  minute: number;
  /** In MB. */
  heap: number;
  renderer: number;
  server: number;
  /** Of it, what is not a page of a file. */
  serverOwn: number;
  serverHeap: number;
  /** A second. */
  moves: number;
  refused: number;
}

const curves = [
  { name: 'server', color: '#2f7fd1', of: (sample: Sample) => sample.server },
  { name: 'page, all of its process', color: '#d1682f', of: (sample: Sample) => sample.renderer },
  { name: 'page, JavaScript', color: '#2f9e6e', of: (sample: Sample) => sample.heap },
] as const;

const mostRows = 14;

export function tableOf(samples: readonly Sample[]): string {
  const columns: [string, (sample: Sample) => string][] = [
    ['minute', ({ minute }) => minute.toFixed(1)],
    ['JavaScript of the page, MB', ({ heap }) => heap.toFixed(1)],
    ['its process, MB', ({ renderer }) => renderer.toFixed(0)],
    ['server, MB', ({ server }) => server.toFixed(0)],
    ['without files, MB', ({ serverOwn }) => serverOwn.toFixed(0)],
    ['JavaScript of its main thread, MB', ({ serverHeap }) => serverHeap.toFixed(0)],
    ['moves a second', ({ moves, refused }) => `${moves.toFixed(0)}${refused ? ` (${refused} refused)` : ''}`],
    ['frames over 50 ms', ({ frames }) => `${frames.over50} of ${frames.count}`],
    ['longest, ms', ({ frames }) => frames.longest.toFixed(0)],
    ['tasks over 50 ms', ({ tasks }) => `${tasks.count}${tasks.count ? `, ${tasks.longest.toFixed(0)} ms` : ''}`],
  ];
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rows = thinned(samples).map((sample) => line(columns.map(([, cell]) => cell(sample))));
  return [line(columns.map(([head]) => head)), line(columns.map(() => '---')), ...rows].join('\n');
}

/** The first, the last, and some between. */
function thinned(samples: readonly Sample[]): readonly Sample[] {
  if (samples.length <= mostRows) return samples;
  const step = (samples.length - 1) / (mostRows - 1);
  return Array.from({ length: mostRows }, (_, row) => samples[Math.round(row * step)]!);
}

export function slopesOf(samples: readonly Sample[]): string {
  const second = samples.slice(Math.floor(samples.length / 2));
  const each = curves.map(({ name, of }) => `${name} ${slopeOf(second, of).toFixed(1)}`);
  return `MB an hour over the second half: ${each.join(', ')}.`;
}

/** The slope of the least-squares line, per hour. */
function slopeOf(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = mean(samples.map(({ minute }) => minute));
  const level = mean(samples.map(of));
  const rise = samples.reduce((sum, sample) => sum + (sample.minute - middle) * (of(sample) - level), 0);
  const run = samples.reduce((sum, { minute }) => sum + (minute - middle) ** 2, 0);
  return run === 0 ? 0 : (rise / run) * 60;
}

const [width, height] = [840, 320];
const margin = { left: 48, right: 16, top: 40, bottom: 36 };

/** Readable on light and on dark ground. */
export function curveOf(samples: readonly Sample[], { restartedAt }: { restartedAt: number | undefined }): string {
  const most = Math.max(1, samples.at(-1)?.minute ?? 1);
  const highest = Math.ceil(Math.max(50, ...samples.flatMap((sample) => curves.map(({ of }) => of(sample)))) / 50) * 50;
  const x = (minute: number) => (margin.left + (minute / most) * (width - margin.left - margin.right)).toFixed(1);
  const y = (mb: number) =>
    (height - margin.bottom - (mb / highest) * (height - margin.top - margin.bottom)).toFixed(1);
  const stepOf = (range: number) => [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => range / step <= 6) ?? 1000;
  const ticks = (range: number) =>
    Array.from({ length: Math.floor(range / stepOf(range)) + 1 }, (_, tick) => tick * stepOf(range));
  const text = (at: { x: string | number; y: string | number }, words: string, more = '') =>
    `<text x="${at.x}" y="${at.y}" ${more}>${words}</text>`;
  const rows = ticks(highest).flatMap((mb) => [
    `<path d="M${margin.left} ${y(mb)}H${width - margin.right}" stroke="#8884"/>`,
    text({ x: margin.left - 8, y: Number(y(mb)) + 4 }, String(mb), 'text-anchor="end"'),
  ]);
  const columns = ticks(most).map((minute) =>
    text({ x: x(minute), y: height - margin.bottom + 20 }, `${minute} min`, 'text-anchor="middle"'),
  );
  const restart =
    restartedAt === undefined
      ? []
      : [
          `<path d="M${x(restartedAt)} ${margin.top}V${height - margin.bottom}" stroke="#888" stroke-dasharray="3 3"/>`,
          text({ x: Number(x(restartedAt)) + 6, y: margin.top + 12 }, 'server started anew'),
        ];
  const lines = curves.map(({ color, of }) => {
    const points = samples.map((sample) => `${x(sample.minute)},${y(of(sample))}`).join(' ');
    return `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="2"/>`;
  });
  const legend = curves.map(({ name, color }, index) =>
    text({ x: margin.left + index * 220, y: 20 }, `${name}, MB`, `fill="${color}" font-weight="600"`),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif"`,
    `  font-size="12" fill="#888" role="img" aria-label="Memory of page and server, by the minute">`,
    ...[...rows, ...columns, ...restart, ...lines, ...legend].map((part) => `  ${part}`),
    '</svg>\n',
  ].join('\n');
}
