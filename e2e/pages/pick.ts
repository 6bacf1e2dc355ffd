import type { Locator } from 'playwright/test';

/** Chooses a radio or a checkbox that is out of sight: its label is what one clicks, where it comes to rest. */
export async function pick(field: Locator) {
  await field.locator('xpath=ancestor::label').click();
  await field.and(field.page().locator(':checked')).waitFor({ state: 'attached' });
}
