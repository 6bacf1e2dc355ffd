import type { BrowserContext } from 'playwright/test';

/**
 * Sets the user's time to undo to the longest: on a busy machine, the steps between an action and its undo can take more
 * than the default of ten seconds.
 */
export async function chooseLongestUndoTime(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // a document without an origin has no storage
    if (location.origin !== 'null' && localStorage.getItem('undo_seconds') === null)
      localStorage.setItem('undo_seconds', '60');
  });
}
