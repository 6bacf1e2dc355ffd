import { useMemo } from 'react';

/** The width of the panel with its margins, in px. A phone has a sheet instead. */
const panel = 432;
/** The same for the start panel, which is shown while there are no devices. */
const start = 648;

/** The insets of the map: the panel on a desktop, the sheet on a phone. */
export function useMapInsets({ phone, sheet, starting }: { phone: boolean; sheet: number; starting: boolean }) {
  return useMemo(() => {
    if (phone) return { top: 0, right: 0, bottom: sheet, left: 0 };
    const rightToLeft = document.documentElement.dir === 'rtl';
    const side = starting ? start : panel;
    return { top: 0, right: rightToLeft ? side : 0, bottom: 0, left: rightToLeft ? 0 : side };
  }, [phone, sheet, starting]);
}
