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

/** The labels of the ticks of an axis, with as many digits as tell them apart. */
export function tickLabels(ticks: readonly number[]): string[] {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) || 1;
  // The difference of two ticks is not exact.
  if (step < 0.9 * tooSmall || ticks.some((tick) => Math.abs(tick) >= tooLarge)) return ticks.map(formatPower);
  // 0.25 has two digits, 0.5 one.
  const [, decimals = ''] = String(Number(step.toPrecision(3))).split('.');
  const format = new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: decimals.length });
  return ticks.map((tick) => format.format(tick));
}
