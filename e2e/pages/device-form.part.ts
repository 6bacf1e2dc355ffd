import type { Locator, Page } from 'playwright/test';
import { checkHiddenInput } from './check-hidden-input.ts';

type TypeName = 'PC' | 'Bug' | 'Smartphone';

export interface DeviceText {
  name?: string;
  type?: TypeName;
  description?: string;
  latitude?: string;
  longitude?: string;
}

/** The fields of a device, in the dialog Add device and on the device's page. */
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

  get expectedInterval() {
    return this.#within.getByRole('combobox', { name: 'Expected interval' });
  }

  get keepTrack() {
    return this.#within.getByRole('checkbox', { name: 'Record its track' });
  }

  get placeButton() {
    return this.#within.getByRole('button', { name: 'Place on map' });
  }

  get latitude() {
    return this.#within.getByRole('textbox', { name: 'Latitude' });
  }

  get longitude() {
    return this.#within.getByRole('textbox', { name: 'Longitude' });
  }

  get types() {
    return this.#within.getByRole('radiogroup', { name: 'Machine type' });
  }

  type(name: TypeName) {
    return this.#within.getByRole('radio', { name });
  }

  error(text: string | RegExp) {
    return this.#within.getByText(text);
  }

  async fill({ name, type, description, latitude, longitude }: DeviceText) {
    if (name !== undefined) await this.name.fill(name);
    if (type !== undefined) await checkHiddenInput(this.type(type));
    if (description !== undefined) await this.description.fill(description);
    if (latitude !== undefined) await this.latitude.fill(latitude);
    if (longitude !== undefined) await this.longitude.fill(longitude);
  }

  async useOwnLocation() {
    await this.#within.getByRole('button', { name: /current location|My location/ }).click();
  }
}
