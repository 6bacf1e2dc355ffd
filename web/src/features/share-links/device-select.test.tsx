import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
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

test('devices are selected by name, and a new name or a device that is gone changes the list', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.createElement('div');
  const root = createRoot(container);
  const onSelect = vi.fn<(key: number | null) => void>();
  const show = (devices: Map<number, SharedDevice>, selected: number | null = null) =>
    act(async () => root.render(<DeviceSelect devices={devices} selected={selected} onSelect={onSelect} />));
  const select = () => container.querySelector('select')!;
  const names = () => [...select().options].map(({ text }) => text);
  const choose = (value: string) =>
    act(async () => {
      select().value = value;
      select().dispatchEvent(new Event('change', { bubbles: true }));
    });

  await show(mapOf(boat(1, 'Boat 10'), boat(2, 'Boat 9')));
  expect(names()).toEqual(['All devices', 'Boat 9', 'Boat 10']);
  await choose('1');
  expect(onSelect).toHaveBeenLastCalledWith(1);
  await show(mapOf(boat(1, 'Boat 8'), boat(2, 'Boat 9')), 1);
  expect(names()).toEqual(['All devices', 'Boat 8', 'Boat 9']);
  expect(select().value).toBe('1');
  await choose('');
  expect(onSelect).toHaveBeenLastCalledWith(null);
  await show(mapOf(boat(2, 'Boat 9')));
  expect(names()).toEqual(['All devices', 'Boat 9']);
  await act(async () => root.unmount());
});
