/** Isolates text of other users on a canvas, as `<bdi>` does in HTML. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
