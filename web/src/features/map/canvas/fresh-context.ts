/** Clears a canvas, sets its size, and returns its context in CSS pixels. */
export function freshContext({
  canvas,
  size: { width, height },
}: {
  canvas: HTMLCanvasElement;
  size: { width: number; height: number };
}): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d');
  const ratio = pixelRatio(canvas);
  const wide = Math.round(width * ratio);
  const high = Math.round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

/** The number of screen pixels per CSS pixel of an element, including CSS zoom. */
export function pixelRatio(element: Element): number {
  return devicePixelRatio * (element.currentCSSZoom ?? 1);
}
