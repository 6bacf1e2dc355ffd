import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts } from '../../text/text.ts';
import { FormError } from './form-error.tsx';
import { mountPart } from '../mounted.fixture.tsx';

beforeAll(() => loadTexts('en'));

test('why a form was not saved is scrolled into view once', async () => {
  const scrolled = vi.fn<() => void>();
  Object.assign(HTMLElement.prototype, { scrollIntoView: scrolled });
  const { show, unmount } = await mountPart(<FormError error={null} />);
  expect(scrolled).not.toHaveBeenCalled();
  const error = new Error('no room');
  await show(<FormError error={error} />);
  await show(<FormError error={error} />);
  expect(scrolled).toHaveBeenCalledOnce();
  await unmount();
});
