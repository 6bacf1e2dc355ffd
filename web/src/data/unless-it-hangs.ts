/**
 * Waits a second at most: a database of the browser can hang, as WebKit's does at times after a page load. It must hold
 * up neither a page nor a sign-out.
 */
export function unlessItHangs(work: Promise<void>): Promise<void> {
  return Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, 1000))]);
}
