import { useMemo } from 'react';

/** Panel and its two margins, in px; a phone has its sheet instead. */
const panel = 432;

/** What of the map lies under the panel of a desktop or the sheet of a phone. */
export function useMapInsets({ phone, sheet }: { phone: boolean; sheet: number }) {
  return useMemo(() => {
    if (phone) return { top: 0, right: 0, bottom: sheet, left: 0 };
    const rightToLeft = document.documentElement.dir === 'rtl';
    return { top: 0, right: rightToLeft ? panel : 0, bottom: 0, left: rightToLeft ? 0 : panel };
  }, [phone, sheet]);
}
