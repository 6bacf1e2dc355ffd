import { useSyncExternalStore } from 'react';
import { createListeners } from '../../data/listeners.ts';
import { onNewPage } from '../../data/new-page.ts';
import { atTextSize, phone, touch, useMedia } from '../browser/media.ts';

/** In px, for the browser's default text size. If several apply, the last of them counts. */
export interface RowHeights {
  base: number;
  touch?: number;
  phone?: number;
  largeText?: number;
}

const { subscribe, hasAny, notify } = createListeners();
/** How long 1 px of the design is at the user's text size. Measured once: lists render while they scroll. */
let pixel: number | undefined;
let stopMeasuring = () => {};
onNewPage(() => stopMeasuring());

/** Calls `changed` when the browser’s settings or a style change the text size. One element follows it for all lists. */
function subscribeToTextSize(changed: () => void): () => void {
  if (!hasAny()) stopMeasuring = measureTextSize();
  const unsubscribe = subscribe(changed);
  return () => {
    unsubscribe();
    if (!hasAny()) stopMeasuring();
  };
}

function measureTextSize(): () => void {
  const rem = document.createElement('div');
  Object.assign(rem.style, { position: 'fixed', inlineSize: '1rem', visibility: 'hidden' });
  document.body.append(rem);
  const observer = new ResizeObserver(() => {
    pixel = atTextSize(1);
    notify();
  });
  observer.observe(rem);
  return () => {
    observer.disconnect();
    rem.remove();
    pixel = undefined;
  };
}

const useTextSize = () => useSyncExternalStore(subscribeToTextSize, () => (pixel ??= atTextSize(1)));

/**
 * Whether the text is large for the screen: rows have their parts below each other. Heights and styles must ask for the same, so
 * lists say it to the styles (`.large-text`).
 */
export function useLargeText(): boolean {
  const narrow = 319 * useTextSize();
  return useMedia(`${phone} and (max-width: ${narrow}px)`);
}

/** The height of the rows of a list in px, at the user's text size. */
export function useRowHeight(heights: RowHeights): number {
  const onTouch = useMedia(touch) ? heights.touch : undefined;
  const onPhone = useMedia(phone) ? heights.phone : undefined;
  const withLargeText = useLargeText() ? heights.largeText : undefined;
  return (withLargeText ?? onPhone ?? onTouch ?? heights.base) * useTextSize();
}
