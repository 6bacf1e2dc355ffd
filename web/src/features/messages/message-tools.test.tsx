import { act, useState } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { timeOfInput } from './message-search.ts';
import { MessageTools } from './message-tools.tsx';

beforeAll(() => loadTexts('en'));

test.each([
  ['2026-11-28T10:00:00.000Z', '2026-11-28T09:00:00.000Z', true],
  ['2026-11-28T09:00:00.000Z', '2026-11-28T10:00:00.000Z', false],
  ['2026-11-28T09:00:00.000Z', '', false],
])('from %s until %s, nothing can be found: %s', async (after, before, isSwapped) => {
  const search = { from: '', q: '', after, before };
  const { container, unmount } = await mountPart(
    <MessageTools swarm_id="s" search={search} choice={null} onSearch={() => {}} />,
  );
  expect(container.textContent.includes(t.messages.too_early)).toBe(isSwapped);
  await unmount();
});

test('the times follow the address, also by Back, and what is typed in parts stays', async () => {
  const times = { after: '2026-11-28T09:00:00.000Z', before: '' };
  let back!: (change: object) => void;
  function Page() {
    const [search, setSearch] = useState({ from: '', q: '', after: '', before: '' });
    back = (change) => setSearch((now) => ({ ...now, ...change }));
    return <MessageTools swarm_id="s" search={search} choice={null} onSearch={back} />;
  }
  const { container, unmount } = await mountPart(<Page />);
  const field = () => container.querySelector<HTMLInputElement>('input[type="datetime-local"]');
  expect(field()).toBeNull();
  await act(async () => back(times));
  expect(timeOfInput(field()!.value)).toBe(times.after);
  await act(async () => {
    field()!.value = '';
    field()!.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(field()).not.toBeNull();
  await act(async () => back({ after: '2026-11-27T08:00:00.000Z' }));
  expect(timeOfInput(field()!.value)).toBe('2026-11-27T08:00:00.000Z');
  await unmount();
});

test('a time that is being typed is not set back by an address that follows later', async () => {
  const part = (after: string) => (
    <MessageTools swarm_id="s" search={{ from: '', q: '', after, before: '' }} choice={null} onSearch={() => {}} />
  );
  const { container, show, unmount } = await mountPart(part('2026-11-28T09:00:00.000Z'));
  const field = container.querySelector<HTMLInputElement>('input[type="datetime-local"]')!;
  field.focus();
  field.value = '2026-11-28T10:00:02';
  await show(part('2026-11-28T10:00:00.000Z'));
  expect(field.value).toMatch(/:02(\.000)?$/);
  await unmount();
});
