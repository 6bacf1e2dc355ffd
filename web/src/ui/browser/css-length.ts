/** A variable of the style sheets, on the root element, in px. There, and nowhere else, is how wide parts of a page are. */
export const cssLength = (variable: `--${string}`): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(variable)) || 0;
