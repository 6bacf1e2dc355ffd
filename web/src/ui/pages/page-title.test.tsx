import { expect, test } from 'vitest';
import { mountPart } from '../mounted.fixture.tsx';
import { usePageTitle } from './page-title.ts';

function Page({ name }: { name: string }) {
  usePageTitle(name);
  return null;
}

test('a name in the title of the window does not turn a part of it around', async () => {
  const { unmount } = await mountPart(<Page name={'\u202Elive'} />);
  expect(document.title).toBe('live · Swarmdeck');
  await unmount();
});
