import type { Locator } from 'playwright/test';

/**
 * Waits until one of two elements is visible, for pages that show one of them. Returns whether it is the first. Reading
 * once whether an element is visible, without waiting, would depend on the speed of the machine.
 */
export async function isFirstShown(first: Locator, second: Locator): Promise<boolean> {
  await first.or(second).first().waitFor();
  return first.isVisible();
}
