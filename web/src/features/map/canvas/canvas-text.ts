/** Isolates other users' text, so that its direction changes nothing around it: on a canvas what `<bdi>` is in a page. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
