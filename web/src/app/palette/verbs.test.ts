import { expect, test } from 'vitest';
import { verbsFor } from './verbs.ts';
import type { Verb } from './verbs.ts';

const verb = (id: string, label: string, more: Partial<Verb> = {}): Verb => ({
  id,
  label,
  icon: 'plus',
  run: () => undefined,
  ...more,
});
const verbs = [
  verb('theme', 'Switch to dark theme', { also: 'night' }),
  verb('invitations', 'Go to Invitations'),
  verb('invite', 'Invite to a swarm'),
  verb('add', 'Add device “{q}”', { takesTyped: true }),
];
const ids = (typed: string) => verbsFor({ typed, verbs }).map(({ id }) => id);

test('while nothing is typed there is everything that needs no word, in its order', () => {
  expect(ids(' ')).toEqual(['theme', 'invitations', 'invite']);
});

test('what fits best comes first, and what takes the word comes last', () => {
  expect(ids('inv')).toEqual(['invite', 'invitations', 'add']);
  expect(ids('night')).toEqual(['theme', 'add']);
});

test('a word that fits nothing can still be taken', () => {
  expect(ids('greenhouse')).toEqual(['add']);
});
