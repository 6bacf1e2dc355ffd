import { atTextSize, phone, touch, useMedia } from './media.ts';

/** In px, for the browser's default text size. If several apply, the last of them counts. */
export interface RowHeights {
  base: number;
  touch?: number;
  phone?: number;
  largeText?: number;
}

/** The height of the rows of a list in px, at the user's text size. */
export function useRowHeight(heights: RowHeights): number {
  const onTouch = useMedia(touch) ? heights.touch : undefined;
  const onPhone = useMedia(phone) ? heights.phone : undefined;
  const withLargeText = useMedia(`(max-width: ${atTextSize(319)}px)`) ? heights.largeText : undefined;
  return atTextSize(withLargeText ?? onPhone ?? onTouch ?? heights.base);
}
