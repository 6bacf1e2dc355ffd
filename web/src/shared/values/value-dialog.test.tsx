import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { ValueDialog } from './value-dialog.tsx';

beforeAll(() => loadTexts('en'));

test.each([
  [10.5, 5, false],
  [5, 5, true],
])('a filter from %d to %d: %s', async (value_from, value_to, isPossible) => {
  vi.stubGlobal('fetch', async () => Response.json({ keys: [{ key: 'temperature', kind: 'number' }] }));
  const onChoose = vi.fn<() => void>();
  const chosen = { values: ['temperature'], value_from, value_to };
  const { container, submit, unmount } = await mountPart(
    <ValueDialog audience="own" chosen={chosen} isColoured={false} onChoose={onChoose} onClose={() => {}} />,
  );
  await submit();
  expect(onChoose).toHaveBeenCalledTimes(isPossible ? 1 : 0);
  expect(container.textContent.includes(t.values.too_small)).toBe(!isPossible);
  await unmount();
});

test('wrong bounds do not stop the choice of a value that has no bounds', async () => {
  const keys = [
    { key: 'temperature', kind: 'number' },
    { key: 'valve', kind: 'state' },
  ];
  vi.stubGlobal('fetch', async () => Response.json({ keys }));
  const onChoose = vi.fn<() => void>();
  const { container, type, submit, unmount } = await mountPart(
    <ValueDialog
      audience="own"
      chosen={{ values: ['temperature'] }}
      isColoured={false}
      onChoose={onChoose}
      onClose={() => {}}
    />,
  );
  await type('warm');
  const select = container.querySelector('select')!;
  await act(async () => {
    select.value = 'valve';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await submit();
  expect(onChoose).toHaveBeenCalledExactlyOnceWith({ values: ['valve'] }, false);
  await unmount();
});
