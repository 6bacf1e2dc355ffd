import { expect, test, vi } from 'vitest';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { PhoneDialog } from './phone-dialog.tsx';

test('who cancels goes back to the page that has asked for it', async () => {
  const closed = vi.fn<() => void>();
  const { press, unmount } = await mountPart(<PhoneDialog from="/join/code" onClose={closed} />);
  await press('Cancel');
  expect(closed).toHaveBeenCalledOnce();
  expect(location.pathname).toBe('/join/code');
  await unmount();
});
