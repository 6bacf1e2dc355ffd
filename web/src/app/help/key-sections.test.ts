import { expect, test } from 'vitest';
import { keySections, keyTexts } from './key-sections.ts';

const all = keySections({ activeScopes: [] });
const rowsOf = (id: string) => all.find((section) => section.id === id)?.rows ?? [];

test('every key has a section', () => {
  const listed = new Set(
    all.flatMap(({ rows }) => rows.flatMap(({ text, keys }) => keys.map((key) => `${key} ${text}`))),
  );
  const wanted = Object.values(keyTexts()).flatMap((texts) =>
    Object.entries(texts).map(([key, text]) => `${key} ${text}`),
  );
  expect(wanted.filter((each) => !listed.has(each))).toEqual([]);
});

test('keys with the same text share a row', () => {
  expect(rowsOf('devices')).toContainEqual({ text: 'Next or previous device', keys: ['j', 'k'] });
});

test('navigation keys have a section of their own', () => {
  expect(rowsOf('go').map(({ keys }) => keys)).toEqual([['g d'], ['g s'], ['g i'], ['g a']]);
  expect(rowsOf('everywhere').flatMap(({ keys }) => keys)).not.toContain('g d');
});

test('a key that works everywhere is not repeated for a page', () => {
  expect(rowsOf('devices').flatMap(({ keys }) => keys)).not.toContain('c');
  expect(rowsOf('swarm')).toContainEqual({ text: 'Invite to this swarm', keys: ['i'] });
});

test('only the sections of the visible page are marked', () => {
  const marked = keySections({ activeScopes: ['everywhere', 'undo', 'members', 'own_swarm'] });
  expect(marked.filter(({ isActive }) => isActive).map(({ id }) => id)).toEqual(['swarm']);
});
