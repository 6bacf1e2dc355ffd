import { act } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { AddDevice } from './add-device.tsx';

beforeAll(() => loadTexts('en'));
afterEach(() => sessionStorage.clear());

test.each([
  ['import', 'Buoy', true],
  ['phone', 'Buoy', true],
  ['import', '', false],
] as const)('the link "%s" says that what was typed stays (name "%s": %s)', async (link, name, isSaid) => {
  // Nothing is answered.
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  sessionStorage.setItem('draft:device:undefined', JSON.stringify({ name }));
  const page = await mountPart(<AddDevice fill={{}} onClose={() => undefined} onAdded={() => undefined} />);
  const { container } = page;
  const { stored, [link]: text } = t.device.add_dialog;
  await act(async () => [...container.querySelectorAll('a')].find((each) => each.textContent === text)!.click());
  expect(container.textContent.includes(stored)).toBe(isSaid);
  await page.unmount();
});

test('who cancels while the device is being sent is told that it is still added', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  sessionStorage.setItem('draft:device:undefined', JSON.stringify({ name: 'Buoy', machine_type: 'bug' }));
  const page = await mountPart(<AddDevice fill={{}} onClose={() => undefined} onAdded={() => undefined} />);
  await page.submit();
  await page.press(t.shell.kit.cancel);
  expect(page.container.textContent).toContain(t.device.add_dialog.is_sent);
  expect(page.container.textContent).not.toContain(t.device.add_dialog.stored);
  await page.unmount();
});
