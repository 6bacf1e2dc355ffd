import { expect, test } from 'vitest';
import { keySections } from './key-sections.ts';
import { keyWords } from './key-words.ts';

const all = keySections({ words: keyWords, here: [] });
const rowsOf = (id: string) => all.find((section) => section.id === id)?.rows ?? [];

test('every key of every place is under some heading', () => {
  const said = new Set(
    all.flatMap(({ rows }) => rows.flatMap(({ text, keys }) => keys.map((key) => `${key} ${text}`))),
  );
  const wanted = Object.values(keyWords).flatMap((words) =>
    Object.entries(words).map(([key, text]) => `${key} ${text}`),
  );
  expect(wanted.filter((each) => !said.has(each))).toEqual([]);
});

test('keys that belong together share a line', () => {
  expect(rowsOf('devices')).toContainEqual({ text: 'Next, previous', keys: ['j', 'k'] });
});

test('going somewhere has a heading of its own', () => {
  expect(rowsOf('go').map(({ keys }) => keys)).toEqual([['g d'], ['g s'], ['g i'], ['g a']]);
  expect(rowsOf('everywhere').flatMap(({ keys }) => keys)).not.toContain('g d');
});

test('what works everywhere is not said again for a screen', () => {
  expect(rowsOf('devices').flatMap(({ keys }) => keys)).not.toContain('c');
  expect(rowsOf('swarm')).toContainEqual({ text: 'Invite to this swarm', keys: ['i'] });
});

test('the screen in sight is marked, and what works everywhere never', () => {
  const marked = keySections({ words: keyWords, here: ['everywhere', 'waiting', 'members', 'own_swarm'] });
  expect(marked.filter(({ here }) => here).map(({ id }) => id)).toEqual(['swarm']);
});
