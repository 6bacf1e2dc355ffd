import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../text/text.ts';
import { mountPart } from './mounted.fixture.tsx';
import { ShownOnce } from './shown-once.tsx';

beforeAll(() => loadTexts('en'));

const texts = {
  is_stored: 'I have stored it',
  done: 'Done',
  closing_asks: '',
  lost_title: 'Not stored yet?',
  lost_text: '',
  lost_close: 'Close anyway',
  lost_back: 'Back',
};

test('who was asked whether the key is stored, and then says so, is no longer asked', async () => {
  let closed = 0;
  const { container, unmount } = await mountPart(
    <ShownOnce title="Key" text="" texts={texts} onClose={() => (closed += 1)}>
      key
    </ShownOnce>,
    new QueryClient(),
  );
  const press = (name: string) =>
    act(async () => [...container.querySelectorAll('button')].find((one) => one.textContent === name)!.click());
  await press('Done');
  expect(container.textContent).toContain('Not stored yet?');
  await act(async () => container.querySelector('input')!.click());
  expect(container.textContent).not.toContain('Not stored yet?');
  await press('Done');
  expect(closed).toBe(1);
  await unmount();
});
