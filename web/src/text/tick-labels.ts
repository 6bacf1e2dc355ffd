import { formatPower, tooLarge, tooSmall } from './format-value.ts';
import { language, localeOf } from './language.ts';

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
