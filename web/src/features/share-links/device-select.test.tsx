import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SharedDevice } from '@swarmdeck/bff/contract';
import { DeviceSelect } from './device-select.tsx';

const boat = (key: number, name: string): SharedDevice => ({
  key,
  name,
  machine_type: 'pc',
  position: null,
  accuracy: null,
  located_at: null,
});
const mapOf = (...devices: SharedDevice[]) => new Map(devices.map((device) => [device.key, device]));

let root: Root;
let container: HTMLElement;
const onSelect = vi.fn<(key: number | null) => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, scrollIntoView: () => undefined });
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  vi.useRealTimers();
});

const show = (devices: Map<number, SharedDevice>, selected: number | null = null) =>
  act(async () => root.render(<DeviceSelect devices={devices} selected={selected} onSelect={onSelect} />));
const field = () => container.querySelector<HTMLInputElement>('[role=combobox]')!;
const options = () => [...container.querySelectorAll<HTMLElement>('[role=option]')];
const names = () => options().map(({ textContent }) => textContent);
const press = (element: HTMLElement) => act(async () => element.click());
const type = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field(), text);
    field().dispatchEvent(new Event('input', { bubbles: true }));
    vi.advanceTimersByTime(200);
  });

test('devices are selected by name, and a new name or a device that is gone changes the list', async () => {
  await show(mapOf(boat(1, 'Boat 10'), boat(2, 'Boat 9')));
  await press(field());
  expect(names()).toEqual(['All devices', 'Boat 9', 'Boat 10']);
  await press(options()[2]!);
  expect(onSelect).toHaveBeenLastCalledWith(1);
  await show(mapOf(boat(1, 'Boat 8'), boat(2, 'Boat 9')), 1);
  expect(field().value).toBe('Boat 8');
  await press(field());
  expect(names()).toEqual(['All devices', 'Boat 8', 'Boat 9']);
  await press(options()[0]!);
  expect(onSelect).toHaveBeenLastCalledWith(null);
  await show(mapOf(boat(2, 'Boat 9')));
  expect(field().value).toBe('All devices');
});

test('of 10,000 devices, 200 are listed, and a search finds the others', async () => {
  await show(mapOf(...Array.from({ length: 10_000 }, (_, key) => boat(key, `Boat ${key}`))));
  await press(field());
  expect(options()).toHaveLength(201);
  expect(container.textContent).toContain('The first 200 of 10,000. Search for the others.');
  await type('boat 9999');
  expect(names()).toEqual(['Boat 9999']);
  await type('ship');
  expect(container.textContent).toContain('No device matches.');
});
