import { expect, test } from 'vitest';
import { t } from '../../text/text.ts';
import { commandText } from '../../ui/keys/command-text.ts';
import { commands, possibleCommands, type Command, type CommandScope } from '../../ui/keys/commands.ts';
import { listedCommand } from '../palette/use-page-commands.ts';
import { keySections } from './key-sections.ts';

const all = keySections({ activeScopes: [] });
/** The rows with the names of their commands, which the heading begins in one section. */
const named = all.flatMap(({ id, rows }) =>
  rows.map(({ text, keys }) => ({ text: id === 'go' ? `${t.help.sections.go} ${text}` : text, keys })),
);
const rowsOf = (id: string) => all.find((section) => section.id === id)?.rows ?? [];

/** All commands of the table, as if each were possible now. */
const everyCommand: Command[] = (Object.keys(commands) as CommandScope[]).flatMap((scope) => {
  const runs = Object.fromEntries(Object.keys(commands[scope]).map((id) => [id, () => undefined]));
  return possibleCommands(scope, runs);
});

test('every key has a section', () => {
  const listed = new Set(named.flatMap(({ text, keys }) => keys.map((key) => `${key} ${text}`)));
  const wanted = everyCommand.filter(({ keys }) => keys).map((command) => `${command.keys} ${commandText(command)}`);
  expect(wanted.filter((each) => !listed.has(each))).toEqual([]);
});

test('the help and the palette list the same commands, except those that step, select or close', () => {
  const inHelp = named.flatMap(({ text, keys }) => keys.map((key) => `${text} (${key})`));
  const inPalette = everyCommand
    .flatMap(listedCommand)
    .filter(({ keys }) => keys)
    .map(({ label, keys }) => `${label} (${keys})`);
  expect(inPalette.filter((each) => !inHelp.includes(each))).toEqual([]);
  const onlyKeys = inHelp.filter((each) => !inPalette.includes(each));
  expect([...new Set(onlyKeys)].toSorted()).toEqual([
    'Clear selection (Escape)',
    'Clear selection and search (Escape)',
    'Jump to… (mod k)',
    'Next or previous device (j)',
    'Next or previous device (k)',
    'Next or previous device in view (j)',
    'Next or previous device in view (k)',
    'Next or previous invitation (j)',
    'Next or previous invitation (k)',
    'Next or previous swarm (j)',
    'Next or previous swarm (k)',
    'Save the form (mod s)',
    'Select all (mod a)',
    'Select; with Shift, a range (x)',
    'Stop following, clear selection (Escape)',
  ]);
});

test('keys with the same text share a row', () => {
  expect(rowsOf('devices')).toContainEqual({ text: 'Next or previous device', keys: ['j', 'k'] });
});

test('navigation keys have a section of their own, whose rows do not repeat its heading', () => {
  expect(rowsOf('go')).toEqual([
    { text: 'Devices', keys: ['g d'] },
    { text: 'Swarms', keys: ['g s'] },
    { text: 'Invitations', keys: ['g i'] },
    { text: 'Account', keys: ['g a'] },
  ]);
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
