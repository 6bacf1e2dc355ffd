import { language, localeOf } from './language.ts';
import { formatNumber } from './text.ts';

/** Numbers beyond these are in powers of ten. */
const [tooLarge, tooSmall] = [1e9, 1e-4];

/** What a device has said, as people read it. `true` and texts are shown as it says them. */
export function formatValue(value: number | string | boolean): string {
  if (typeof value !== 'number') return String(value);
  const isExtreme = value !== 0 && (Math.abs(value) >= tooLarge || Math.abs(value) < tooSmall);
  return isExtreme ? formatPower(value) : formatNumber(value);
}

const formatPower = (value: number) =>
  new Intl.NumberFormat(localeOf(language), { notation: 'scientific', maximumFractionDigits: 2 }).format(value);

/** A label of an axis with more characters is shortened, if the others are still told apart. */
const longLabel = 7;

/** The labels of the ticks of an axis, with as many digits as tell them apart. */
export function tickLabels(ticks: readonly number[]): string[] {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) || 1;
  // The difference of two ticks is not exact.
  if (step < 0.9 * tooSmall || ticks.some((tick) => Math.abs(tick) >= tooLarge)) return ticks.map(formatPower);
  // 0.25 has two digits, 0.5 one.
  const [, decimals = ''] = String(Number(step.toPrecision(3))).split('.');
  const labels = labelsOf(ticks, { maximumFractionDigits: decimals.length });
  if (labels.every(({ length }) => length <= longLabel)) return labels;
  const short = labelsOf(ticks, { notation: 'compact', maximumFractionDigits: 2 });
  return new Set(short).size === new Set(labels).size ? short : labels;
}

function labelsOf(ticks: readonly number[], options: Intl.NumberFormatOptions): string[] {
  const format = new Intl.NumberFormat(localeOf(language), options);
  return ticks.map((tick) => format.format(tick));
}
