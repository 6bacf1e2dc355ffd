import type { Locator } from 'playwright/test';

/** Selects a visually hidden radio button or checkbox by clicking its label, once the label no longer moves. */
export async function checkHiddenInput(field: Locator) {
  await field.locator('xpath=ancestor::label').click();
  await field.and(field.page().locator(':checked')).waitFor({ state: 'attached' });
}
