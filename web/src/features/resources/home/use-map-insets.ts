import { useMemo } from 'react';

/** Panel and its two margins, in px; a phone has its sheet instead. */
const panel = 432;
/** The same for the start panel, which is shown while there are no devices. */
const start = 648;

/** What of the map lies under the panel of a desktop or the sheet of a phone. */
export function useMapInsets({ phone, sheet, starting }: { phone: boolean; sheet: number; starting: boolean }) {
  return useMemo(() => {
    if (phone) return { top: 0, right: 0, bottom: sheet, left: 0 };
    const rightToLeft = document.documentElement.dir === 'rtl';
    const side = starting ? start : panel;
    return { top: 0, right: rightToLeft ? side : 0, bottom: 0, left: rightToLeft ? 0 : side };
  }, [phone, sheet, starting]);
}
