import { TouchPart } from './touch.part.ts';

/** The sheet over the map of a phone, and a finger on it. */
export class SheetPart extends TouchPart {
  get handle() {
    return this.page.getByRole('button', { name: 'Height of the list' });
  }

  get cardHandle() {
    return this.page.getByRole('button', { name: 'Open the whole device' });
  }

  async height() {
    return this.page.locator('.sheet').evaluate((sheet) => Math.round(sheet.getBoundingClientRect().height));
  }

  /** The scroll position of its list, in px. */
  async scrolled() {
    return this.page.locator('.virtual-list').evaluate((list) => Math.round(list.scrollTop));
  }

  async toTop() {
    await this.page.locator('.virtual-list').evaluate((list) => list.scrollTo({ top: 0 }));
  }

  /** Makes the page as low as an on-screen keyboard does, which is open while a field has the focus. */
  async openKeyboard() {
    await this.page.setViewportSize({ width: 390, height: 480 });
    await this.page.locator('html[data-keyboard]').waitFor();
  }

  async closeKeyboard() {
    await this.page.setViewportSize({ width: 390, height: 844 });
    await this.page.locator('html:not([data-keyboard])').waitFor();
  }
}
