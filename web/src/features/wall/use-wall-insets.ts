import { useLayoutEffect, useMemo, useState } from 'react';
import type { RefObject } from 'react';

/** The width of the panel with its margins, in px. */
const panel = 320;
const listPanel = 316;

/** The insets of the map: the panel on a large screen, the bar and the sheet on a phone. */
export function useWallInsets({
  phone,
  bar,
  sheet,
  withList,
}: {
  phone: boolean;
  /** The list is open. On a phone it is in the sheet. */
  withList: boolean;
  bar: RefObject<HTMLElement | null>;
  sheet: RefObject<HTMLElement | null>;
}) {
  const top = useCovered({ phone, part: bar, edge: 'top' });
  const bottom = useCovered({ phone, part: sheet, edge: 'bottom' });
  return useMemo(() => {
    if (phone) return { top, right: 0, bottom, left: 0 };
    const rightToLeft = document.documentElement.dir === 'rtl';
    const end = withList ? listPanel : 0;
    return { top: 0, right: rightToLeft ? panel : end, bottom: 0, left: rightToLeft ? end : panel };
  }, [phone, top, bottom, withList]);
}

/** How far an element covers the wall from one edge, in px. */
function useCovered({
  phone,
  part,
  edge,
}: {
  phone: boolean;
  part: RefObject<HTMLElement | null>;
  edge: 'top' | 'bottom';
}): number {
  const [covered, setCovered] = useState(0);
  useLayoutEffect(() => {
    const element = part.current;
    if (!phone || !element) return undefined;
    const measure = () => {
      const { offsetTop, offsetHeight } = element;
      setCovered(edge === 'top' ? offsetTop + offsetHeight : offsetHeight);
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [phone, part, edge]);
  return covered;
}
