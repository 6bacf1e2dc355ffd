import type { Locator, Page } from 'playwright/test';
import { pick } from './pick.ts';

type TypeName = 'PC' | 'Bug' | 'Smartphone';

export interface DeviceText {
  name?: string;
  type?: TypeName;
  description?: string;
  latitude?: string;
  longitude?: string;
}

/** The fields of a device, as the dialog for a new one and its own page both have them. */
export class DeviceFormPart {
  readonly #within: Locator | Page;

  constructor(within: Locator | Page) {
    this.#within = within;
  }

  get name() {
    return this.#within.getByRole('textbox', { name: 'Name' });
  }

  get description() {
    return this.#within.getByRole('textbox', { name: 'Description' });
  }

  get latitude() {
    return this.#within.getByRole('textbox', { name: 'Latitude' });
  }

  get longitude() {
    return this.#within.getByRole('textbox', { name: 'Longitude' });
  }

  type(name: TypeName) {
    return this.#within.getByRole('radio', { name });
  }

  fault(text: string | RegExp) {
    return this.#within.getByText(text);
  }

  async fill({ name, type, description, latitude, longitude }: DeviceText) {
    if (name !== undefined) await this.name.fill(name);
    if (type !== undefined) await pick(this.type(type));
    if (description !== undefined) await this.description.fill(description);
    if (latitude !== undefined) await this.latitude.fill(latitude);
    if (longitude !== undefined) await this.longitude.fill(longitude);
  }

  async useOwnLocation() {
    await this.#within.getByRole('button', { name: /current location|My location/ }).click();
  }
}
