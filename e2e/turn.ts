import { expect, type Locator, type Page } from 'playwright/test';

/** Checks that this text stays in its field while the page becomes that of a phone, and that of a desk again. */
export async function expectTextSurvivesTurning(page: Page, field: Locator): Promise<void> {
  const text = await field.inputValue();
  await turn(page, () => expect(field).toHaveValue(text));
}

/** The page becomes that of a phone, and that of a desk again. `check` is called at both. */
export async function turn(page: Page, check: () => Promise<void>): Promise<void> {
  const desk = page.viewportSize()!;
  for (const size of [{ width: 390, height: 844 }, desk]) {
    await page.setViewportSize(size);
    await check();
  }
}
