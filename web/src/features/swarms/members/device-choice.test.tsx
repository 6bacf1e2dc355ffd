import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { DeviceChoice, useDeviceChoice } from './device-choice.tsx';

beforeAll(() => loadTexts('en'));

function Choice() {
  return <DeviceChoice choice={useDeviceChoice('s')} />;
}

/** A choice of three devices. */
async function mountChoice() {
  const rows = [
    ['019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10', 'Buoy'],
    ['019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d11', 'Buoy'],
    ['019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d12', 'Mast'],
  ].map(([id, name]) => ({ id, name, machine_type: 'bug', swarms: [] }));
  const page = { items: rows, total: 3, facets: { all: 3, swarms: [] }, next: null };
  vi.stubGlobal('fetch', async () => Response.json(page));
  const mounted = await mountPart(<Choice />, new QueryClient());
  await mounted.waitFor(() => expect(mounted.container.textContent).toContain('Mast'));
  return mounted;
}

test('devices with the same name have their ids beside it, others do not', async () => {
  const { container, unmount } = await mountChoice();
  expect([...container.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual([
    '019a7c51…9d10',
    '019a7c51…9d11',
  ]);
  await unmount();
});

test('"Select all" is selected too once each device is', async () => {
  const { container, unmount } = await mountChoice();
  const [all, ...each] = container.querySelectorAll<HTMLInputElement>('input[type="checkbox"]');
  expect(each).toHaveLength(3);
  for (const box of each) {
    expect(all!.checked).toBe(false);
    await act(async () => box.click());
  }
  expect(all!.checked).toBe(true);
  await act(async () => all!.click());
  expect(each.some(({ checked }) => checked)).toBe(false);
  await unmount();
});
