import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { LeaveDialog } from './confirm-dialog.tsx';
import { mountPart } from '../mounted.fixture.tsx';
import { Offline } from '../browser/offline.ts';

beforeAll(() => loadTexts('en'));

test('offline, what was typed is saved before the page is left, as by its Save: it waits to be sent', async () => {
  const guard = { isAsking: true, stay: vi.fn<() => void>(), leave: vi.fn<() => void>(), release: () => {} };
  const save = vi.fn<() => Promise<boolean>>(async () => true);
  const { press, unmount } = await mountPart(
    <Offline value={{ reason: 'You’re offline.', explain: () => {} }}>
      <LeaveDialog guard={guard} words={t.leaving} count={1} onSave={save} isSaving={false} />
    </Offline>,
  );
  await press(t.leaving.save);
  expect(save).toHaveBeenCalledOnce();
  expect(guard.leave).toHaveBeenCalledOnce();
  await unmount();
});
