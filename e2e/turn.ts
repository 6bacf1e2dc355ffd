import { expect, type Locator, type Page } from 'playwright/test';

/** Checks that this text stays in its field while the page becomes that of a phone, and that of a desk again. */
export async function expectTextSurvivesTurning(page: Page, field: Locator): Promise<void> {
  const desk = page.viewportSize()!;
  const text = await field.inputValue();
  for (const size of [{ width: 390, height: 844 }, desk]) {
    await page.setViewportSize(size);
    await expect(field).toHaveValue(text);
  }
}
