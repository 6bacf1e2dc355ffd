import { QueryClient } from '@tanstack/react-query';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../text/text.ts';
import { mountPart } from '../mounted.fixture.tsx';
import { Away } from '../browser/offline.ts';
import { PresenceChips } from './presence-chips.tsx';
import { PresenceAge, PresenceText, type PresenceShape } from './presence.tsx';
import { TypeBadge } from './type-badge.tsx';

beforeAll(() => loadTexts('en'));

const heard_at = new Date(Date.now() - 600_000).toISOString();

async function shown(state: PresenceShape, isAway: boolean) {
  const presence = { state, heard_at, connected: true };
  const { container, unmount } = await mountPart(
    <Away value={isAway}>
      <p>
        <PresenceText presence={presence} />
      </p>
      <p>
        <PresenceAge presence={presence} />
      </p>
      <TypeBadge type="bug" presence={state} />
    </Away>,
    new QueryClient(),
  );
  const [text, age] = Array.from(container.querySelectorAll('p'), (each) => each.textContent);
  const dot = container.querySelector('.presence')!.className;
  await unmount();
  return { text, age, dot };
}

test('without the server, a device that was online says when it was heard', async () => {
  expect(await shown('online', false)).toEqual({
    text: 'online · connected',
    age: 'online',
    dot: 'presence presence-online',
  });
  const away = await shown('online', true);
  expect(away).toMatchObject({ text: 'heard 10 min. ago', dot: 'presence presence-offline' });
  expect(away.age).toContain('10 min');
  expect(await shown('silent', true)).toMatchObject({ dot: 'presence presence-silent' });
});

test('without the server, filters do not say how many devices are online or offline', async () => {
  const counts = { online: 12, offline: 3, silent: 1, never: 0 };
  const chips = async (isAway: boolean) => {
    const { container, unmount } = await mountPart(
      <Away value={isAway}>
        <PresenceChips counts={counts} chosen={undefined} onToggle={() => undefined} />
      </Away>,
      new QueryClient(),
    );
    const texts = Array.from(container.querySelectorAll('.chip'), ({ textContent }) => textContent);
    await unmount();
    return texts.slice(0, 2);
  };
  expect(await chips(false)).toEqual(['Online12', 'Offline3']);
  expect(await chips(true)).toEqual(['Online', 'Offline']);
});
