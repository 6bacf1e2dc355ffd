import { act } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { AddingDeviceProvider, type ThisPhone } from '../features/swarms/requests/adding-device.ts';
import { AddJoiningDevice } from '../routes/join.tsx';
import { loadTexts, t } from '../text/text.ts';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';

beforeAll(async () => {
  await loadTexts('en');
  // The dialog loads with its first use.
  await import('../features/devices/form/add-device.tsx');
});

const at = { latitude: 54.3, longitude: 10.1, accuracy: 5 };

test.each<[string, ThisPhone, RegExp]>([
  ['that the position stays', { at }, /a device\.The phone does not report .* This one stays/],
  [
    'that the position is not exact',
    { at: { ...at, accuracy: 3500 } },
    /Your location is accurate only to 3,500 m.* This one stays/,
  ],
  [
    'why its position is not known',
    { failed: 'denied' },
    /Location access is blocked.* The phone does not report .*\.$/,
  ],
])('the dialog of "Add this phone" is described by %s', async (_, phone, said) => {
  const nothing = () => undefined;
  const { container, unmount } = await mountPart(
    <AddingDeviceProvider thisPhone={phone} onClose={nothing} onAdded={nothing}>
      <AddJoiningDevice />
    </AddingDeviceProvider>,
  );
  const description = () => {
    const id = container.querySelector('dialog')?.getAttribute('aria-describedby');
    return id && document.getElementById(id)?.textContent;
  };
  await waitFor(() => expect(description()).toMatch(said));
  expect(description()!.includes(t.links.join.phone_position)).toBe('at' in phone);
  const fields = [...container.querySelectorAll<HTMLInputElement>('dialog input')].map(({ value }) => value);
  expect(fields).toContain(t.links.join.phone_name);
  expect(fields.map(Number).includes(at.latitude)).toBe('at' in phone);
  await unmount();
});

test('the note no longer says why the position was not known, once it is filled in', async () => {
  const nothing = () => undefined;
  const { container, unmount } = await mountPart(
    <AddingDeviceProvider thisPhone={{ failed: 'denied' }} onClose={nothing} onAdded={nothing}>
      <AddJoiningDevice />
    </AddingDeviceProvider>,
  );
  await waitFor(() => expect(container.textContent).toContain('Location access is blocked'));
  const type = (name: string, text: string) =>
    act(async () => {
      const field = container.querySelector<HTMLInputElement>(`input[name=${name}]`)!;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
  await type('latitude', '53.55');
  await type('longitude', '9.99');
  expect(container.textContent).not.toContain('Location access is blocked');
  expect(container.textContent).toContain(t.links.join.phone_position);
  await unmount();
});
