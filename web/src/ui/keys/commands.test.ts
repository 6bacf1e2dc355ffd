import { expect, test } from 'vitest';
import { commands, type CommandScope } from './commands.ts';

/** The parts of the table whose commands can be possible at the same time, by the page. */
const pages: Record<string, CommandScope[]> = {
  home: ['devices', 'device_list', 'selected_device', 'device', 'device_selection', 'undo'],
  device: ['device_page', 'device', 'undo'],
  swarms: ['swarms', 'undo'],
  'members of a swarm': ['members', 'selected_member', 'member_selection', 'own_swarm', 'undo'],
  'invitations of a swarm': ['board', 'invitation_selection', 'own_swarm', 'undo'],
  inbox: ['inbox', 'received', 'undo'],
  wall: ['wall', 'device', 'undo'],
};

const keysOf = (scopes: readonly CommandScope[]) =>
  scopes.flatMap((scope) =>
    Object.values(commands[scope]).flatMap((command) => ('keys' in command ? command.keys : [])),
  );

test.each(Object.entries(pages))('a key has one meaning at a time: %s', (_page, scopes) => {
  const keys = keysOf(scopes);
  expect(keys).toEqual([...new Set(keys)]);
});

test('every part of the table is of a page, or works everywhere', () => {
  const named = new Set(['everywhere', 'app', ...Object.values(pages).flat()]);
  expect(Object.keys(commands).filter((scope) => !named.has(scope))).toEqual([]);
});

test('what a key does everywhere is replaced on a page only by the same thing for what is shown there', () => {
  const everywhere = new Set(keysOf(['everywhere']));
  const replaced = new Set(keysOf(Object.values(pages).flat()).filter((key) => everywhere.has(key)));
  expect(replaced).toEqual(new Set(['c', 'i']));
});
