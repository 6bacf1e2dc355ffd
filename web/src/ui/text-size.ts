/** A length that was designed for the browser's default text size of 16 px, at the user's text size, in px. */
export function atTextSize(length: number): number {
  return (length / 16) * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}
