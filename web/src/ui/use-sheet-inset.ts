import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';

/** Publishes the height of a sheet as `--sheet-inset`, so that toasts are above it and do not cover its buttons. */
export function useSheetInset(sheet: RefObject<HTMLElement | null>, enabled = true): void {
  useLayoutEffect(() => {
    const element = sheet.current;
    if (!element || !enabled) return undefined;
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() => style.setProperty('--sheet-inset', `${element.offsetHeight}px`));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      style.removeProperty('--sheet-inset');
    };
  }, [sheet, enabled]);
}
