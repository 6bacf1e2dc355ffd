/** The number of screen pixels per CSS pixel of an element, including CSS zoom. */
export function pixelRatio(element: Element): number {
  return devicePixelRatio * (element.currentCSSZoom ?? 1);
}
