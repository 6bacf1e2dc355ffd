import { expect, test } from 'vitest';
import { commandsFor, type ListedCommand } from './commands.ts';

const command = (id: string, label: string, more: Partial<ListedCommand> = {}): ListedCommand => ({
  id,
  label,
  icon: 'plus',
  run: () => undefined,
  ...more,
});
const commands = [
  command('theme', 'Switch to dark theme', { also: 'night' }),
  command('invitations', 'Go to Invitations'),
  command('invite', 'Invite to a swarm'),
  command('add', 'Add device “{q}”', { takesTyped: true }),
];
const ids = (typed: string) => {
  const { first, middle, last } = commandsFor({ typed, commands });
  return [first, middle, last].map((each) => each.map(({ id }) => id));
};

test('an empty query lists all commands that need no text, in order', () => {
  expect(ids(' ')).toEqual([[], ['theme', 'invitations', 'invite'], []]);
});

test('commands whose name begins with the typed text come first, before devices', () => {
  expect(ids('inv')).toEqual([['invite'], ['invitations'], ['add']]);
  expect(ids('in')).toEqual([[], ['invite', 'invitations'], ['add']]);
});

test('commands with a word that fits come before places, so that "dark" does not fly to Darkovice', () => {
  expect(ids('dark')).toEqual([[], ['theme'], ['add']]);
  expect(ids('night')).toEqual([[], ['theme'], ['add']]);
});

test('commands that only contain the text come before places, too, and commands that take the text are always last', () => {
  expect(ids('tation')).toEqual([[], ['invitations'], ['add']]);
  expect(ids('ta')).toEqual([[], [], ['invitations', 'add']]);
  expect(ids('greenhouse')).toEqual([[], [], ['add']]);
});

test('commands that fit but for a letter come last, before those that take the text', () => {
  expect(ids('invtie')).toEqual([[], [], ['invite', 'add']]);
  expect(ids('drak')).toEqual([[], [], ['theme', 'add']]);
});
