import { useSyncExternalStore } from 'react';
import { atTextSize, phone, touch, useMedia } from './media.ts';

/** In px, for the browser's default text size. If several apply, the last of them counts. */
export interface RowHeights {
  base: number;
  touch?: number;
  phone?: number;
  largeText?: number;
}

/** Calls `changed` when the browser’s settings or a style change the text size. */
function subscribeToTextSize(changed: () => void): () => void {
  const rem = document.createElement('div');
  Object.assign(rem.style, { position: 'fixed', inlineSize: '1rem', visibility: 'hidden' });
  document.body.append(rem);
  const observer = new ResizeObserver(changed);
  observer.observe(rem);
  return () => {
    observer.disconnect();
    rem.remove();
  };
}

/**
 * Whether the text is large for the screen: rows have their parts below each other. Heights and styles must ask for the same, so
 * lists say it to the styles (`.large-text`).
 */
export function useLargeText(): boolean {
  const narrow = useSyncExternalStore(subscribeToTextSize, () => atTextSize(319));
  return useMedia(`${phone} and (max-width: ${narrow}px)`);
}

/** The height of the rows of a list in px, at the user's text size. */
export function useRowHeight(heights: RowHeights): number {
  const onTouch = useMedia(touch) ? heights.touch : undefined;
  const onPhone = useMedia(phone) ? heights.phone : undefined;
  const withLargeText = useLargeText() ? heights.largeText : undefined;
  return atTextSize(withLargeText ?? onPhone ?? onTouch ?? heights.base);
}
