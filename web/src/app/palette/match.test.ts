import { expect, test } from 'vitest';
import { bestFirst, fits, hit, named, score } from './match.ts';

const of = (typed: string, label: string, also = '') => score({ typed, label, also });

test('a label scores highest by its beginning, then by its words, its keywords and parts of words', () => {
  const scores = [
    of('go to', 'Go to Invitations'),
    of('inv', 'Go to Invitations'),
    of('inbox', 'Go to Invitations', 'inbox answers'),
    of('tation', 'Go to Invitations'),
    of('green', 'Go to Invitations'),
  ];
  expect(scores).toEqual([fits.beginning, fits.words, fits.otherWords, fits.partOfWord, fits.no]);
});

test('every typed word must match, in any order, ignoring case and accents', () => {
  expect(of('swarm create', 'Create a swarm')).toBe(fits.words);
  expect(of('swarm destroy', 'Create a swarm')).toBe(fits.no);
  expect(of('reglages', 'Réglages')).toBe(fits.beginning);
  expect(of('strasse', 'Straße')).toBe(fits.beginning);
});

test.each([
  ['a wrong letter', 'invota'],
  ['a missing letter', 'invtations'],
  ['a letter too many', 'invvitations'],
  ['swapped letters', 'invtiations'],
  ['a beginning with a wrong letter', 'ivit'],
  ['a wrong letter at its end', 'invr'],
  ['a missing letter, beside a right word', 'invtations go'],
])('a word may have %s', (_, typed) => {
  expect(of(typed, 'Go to Invitations')).toBe(fits.misspelt);
});

test.each([
  ['two wrong letters', 'inbotations'],
  ['another first letter', 'envitations'],
  ['three letters', 'inw'],
])('a word may not have %s', (_, typed) => {
  expect(of(typed, 'Go to Invitations')).toBe(fits.no);
});

test('words are matched as the server matches them, in any order, without punctuation', () => {
  const devices = ['Rostock–Laage', 'Lüneburg (north)', 'Aalborg, airport'].map((name) => ({ name }));
  const found = (typed: string) => named({ typed, items: devices }).map(({ name }) => name);
  expect(found('rostock-laage')).toEqual(['Rostock–Laage']);
  expect(found('laage rostock')).toEqual(['Rostock–Laage']);
  expect(found('luneburg north')).toEqual(['Lüneburg (north)']);
  expect(found('airport aalborg')).toEqual(['Aalborg, airport']);
  expect(found('–')).toEqual(['Rostock–Laage']);
});

test('an empty query gives every label the same score', () => {
  expect([of('', 'Sign out'), of('  ', 'Create a swarm')]).toEqual([fits.partOfWord, fits.partOfWord]);
});

test('matches in the name come first; other items keep their order', () => {
  const items = ['Aero', 'Charm', 'Hardap', 'Lake Harsh', 'Harle'].map((name) => ({ name }));
  const names = bestFirst({ typed: 'har', items }).map(({ name }) => name);
  expect(names).toEqual(['Hardap', 'Harle', 'Lake Harsh', 'Charm', 'Aero']);
});

test('local items are matched by name only, and an empty query matches none', () => {
  const items = ['Harbour bugs', 'Depot', 'Bugs'].map((name) => ({ name }));
  expect(named({ typed: 'bug', items }).map(({ name }) => name)).toEqual(['Bugs', 'Harbour bugs']);
  expect(named({ typed: ' ', items })).toEqual([]);
});

test('hit splits a text around the match and keeps its case', () => {
  expect(hit({ text: 'Greenhouse sensor 3', typed: 'green' })).toEqual(['', 'Green', 'house sensor 3']);
  expect(hit({ text: 'Cellar hub', typed: ' HUB ' })).toEqual(['Cellar ', 'hub', '']);
});

test('hit returns null for a text without the match', () => {
  expect(hit({ text: 'Cellar hub', typed: 'soil' })).toBeNull();
  expect(hit({ text: 'Cellar hub', typed: ' ' })).toBeNull();
  expect(hit({ text: 'İstanbul', typed: 'bul' })).toBeNull();
});
