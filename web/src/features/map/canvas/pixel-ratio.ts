/** Pixels of the screen to one of an element on it: what is drawn larger by `zoom` is as sharp as all else. */
export function pixelRatio(element: Element): number {
  return devicePixelRatio * (element.currentCSSZoom ?? 1);
}
