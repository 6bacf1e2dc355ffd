const forgets = new Set<() => void>();

/**
 * Registers how a module forgets what it remembers for the life of a page. A page ends when the browser loads the next
 * one; tests start the next one in the same document. The product's build leaves out each call (vite.config.ts).
 */
export function onNewPage(forget: () => void): void {
  forgets.add(forget);
}

/** Makes all modules forget the page, as loading another one does. */
export function forgetPage(): void {
  for (const forget of forgets) forget();
}
