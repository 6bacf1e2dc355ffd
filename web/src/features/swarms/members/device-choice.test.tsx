import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import type { MemberRole } from '@swarmdeck/bff/contract';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { DeviceChoice, useDeviceChoice } from './device-choice.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

function Choice({ asked, chosen }: { asked: ReadonlySet<string>; chosen?: MemberRole }) {
  return <DeviceChoice choice={useDeviceChoice('s', asked)} {...(chosen && { role: chosen })} />;
}

/** A choice of three devices. */
async function mountChoice(asked: ReadonlySet<string> = new Set(), total = 3) {
  const rows = [
    ['019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10', 'Buoy'],
    ['019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d11', 'Buoy'],
    ['019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d12', 'Mast'],
  ].map(([id, name]) => ({ id, name, machine_type: 'bug', swarms: [] }));
  const page = { items: rows, total, facets: { all: 3, swarms: [] }, next: null };
  vi.stubGlobal('fetch', async () => Response.json(page));
  const mounted = await mountPart(<Choice asked={asked} />, new QueryClient());
  await waitFor(() => expect(mounted.container.textContent).toContain('Mast'));
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

test.each([
  { asked: [], selectable: 3 },
  { asked: ['019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10'], selectable: 2 },
])('"Select all" is selected too once each device is that can be: $selectable of 3', async ({ asked, selectable }) => {
  const { container, unmount } = await mountChoice(new Set(asked));
  const [all, ...each] = container.querySelectorAll<HTMLInputElement>('input[type="checkbox"]:enabled');
  expect(each).toHaveLength(selectable);
  for (const box of each) {
    expect(all!.checked).toBe(false);
    await act(async () => box.click());
  }
  expect(all!.checked).toBe(true);
  await act(async () => all!.click());
  expect(each.some(({ checked }) => checked)).toBe(false);
  await unmount();
});

test('there is no "Select all" if each device has been asked for', async () => {
  const ids = [0, 1, 2].map((end) => `019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d1${end}`);
  const { container, unmount } = await mountChoice(new Set(ids));
  expect(container.querySelector('input[type="checkbox"]:enabled')).toBeNull();
  await unmount();
});

test('another search says that it has ended the selection of all', async () => {
  const { container, unmount } = await mountChoice(new Set(), 300);
  await act(async () => container.querySelector<HTMLInputElement>('input[type="checkbox"]')!.click());
  const field = container.querySelector<HTMLInputElement>('input[type="search"]')!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, 'mast');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await waitFor(() => expect(container.querySelector('output')!.textContent).toBe(t.devices.selection.ended));
  await unmount();
});

test('a member that gets a second role says which one it has, and that it will have both', async () => {
  const rows = (['consumer', 'producer', undefined] as const).map((resource_type, at) => ({
    id: String(at),
    name: `Buoy ${at}`,
    machine_type: 'bug',
    swarms: resource_type ? [{ id: 's', name: 'Harbour', resource_type }] : [],
  }));
  const page = { items: rows, total: 3, facets: { all: 3, swarms: [{ id: 's', count: 2 }] }, next: null };
  vi.stubGlobal('fetch', async () => Response.json(page));
  const { container, unmount } = await mountPart(<Choice asked={new Set()} chosen="producer" />, new QueryClient());
  await waitFor(() => expect(container.textContent).toContain('Buoy 2'));
  const notes = [...container.querySelectorAll('.device-choice-row')];
  expect(notes.map(({ textContent }) => /Buoy \d(.*)$/.exec(textContent)?.[1])).toEqual([
    'receives: will also send',
    'already sends',
    '',
  ]);
  await unmount();
});
