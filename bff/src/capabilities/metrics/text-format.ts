/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
import type { Histogram } from '../../core/histogram.ts';

export type Labels = Record<string, string>;
/** All series of one name. */
export interface Metric {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  series: [Labels, number | Histogram][];
}

export function textOf({ name, type, help, series }: Metric): string {
  const lines = series.flatMap(([labels, value]) =>
    typeof value === 'number' ? [line(name, labels, value)] : histogramLines(name, labels, value),
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  return `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}`;
}

function histogramLines(name: string, labels: Labels, { bounds, counts, sum }: Histogram): string[] {
  let count = 0;
  const buckets = counts.map((more, index) => {
    count += more;
    return line(`${name}_bucket`, { ...labels, le: String(bounds[index] ?? '+Inf') }, count);
  });
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)];
}
