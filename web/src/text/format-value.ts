import { inOrder } from './isolate.ts';
import { language, localeOf } from './language.ts';
import { formatNumber } from './text.ts';

/** Numbers beyond these are in powers of ten. */
export const [tooLarge, tooSmall] = [1e9, 1e-4];

/** What a device has said, as people read it. `true` and texts are shown as it says them, without what turns a part around. */
export function formatValue(value: number | string | boolean): string {
  if (typeof value !== 'number') return inOrder(String(value));
  const isExtreme = value !== 0 && (Math.abs(value) >= tooLarge || Math.abs(value) < tooSmall);
  return isExtreme ? formatPower(value) : formatNumber(value);
}

export const formatPower = (value: number) =>
  new Intl.NumberFormat(localeOf(language), { notation: 'scientific', maximumFractionDigits: 2 }).format(value);
