import { expect, test } from 'vitest';
import { guestLimits } from './limits.ts';
import { createShownDevices } from './shown-devices.ts';

test('memberships that end in one moment are hidden in parts', () => {
  const { devicesAtOnce } = guestLimits;
  const [end, later] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
  const devices = createShownDevices();
  const ids = Array.from({ length: 2 * devicesAtOnce + 1 }, (_, n) => `boat-${n}`);
  for (const id of ids) devices.show({ id, text: '"name":"Boat"}', endsAt: end });
  devices.show({ id: 'ferry', text: '"name":"Ferry"}', endsAt: later });
  const shown = [];
  while (devices.nextEnd() === end) {
    devices.hideEnded(end);
    shown.push(ids.filter(devices.has).length);
  }
  expect(shown).toEqual([devicesAtOnce + 1, 1, 0]);
  expect([devices.has('ferry'), devices.nextEnd()]).toEqual([true, later]);
});
