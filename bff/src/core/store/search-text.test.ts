import { describe, expect, test } from 'vitest';
import { mayBeginId, searchText, searchWords } from './search-text.ts';

/** True if a text is found. */
const finds = (typed: string, text: string) => searchWords(typed).every((word) => searchText(text).includes(word));

describe('a search query', () => {
  test.each([
    ['rostock-laage', 'Rostock–Laage Airport'],
    ['rostock laage', 'Rostock–Laage'],
    ['laage, ROSTOCK', 'Rostock–Laage'],
    ['rostocklaage', 'Rostock-Laage'],
    ['luneburg', 'Lüneburg'],
    ['LÜNEBURG', 'Luneburg'],
    // typed as a letter and a combining accent
    ['lu\u0308neburg', 'Lüneburg'],
    ['airport aalborg', 'Aalborg Airport'],
    ['ohare', "O'Hare"],
    ['o’hare', "O'Hare"],
    ['o hare', "O'Hare"],
    ['abc123', 'ABC-123'],
    ['abc-123', 'ABC123'],
    ['lodz', 'Łódź'],
    ['tromso', 'Tromsø'],
    ['strasse', 'Straße'],
    ['STRASSE', 'straße'],
    ['istanbul', 'İstanbul'],
    ['οδοσ', 'ΟΔΟΣ'],
    ['مزرعه', 'مُزرعه'],
    ['北京', '北京市'],
    ['🛰', 'Relay 🛰'],
    ['100', '100%'],
    ['ﬁeld', 'Field'],
  ])('%s finds %s', (typed, text) => {
    expect(finds(typed, text)).toBe(true);
  });

  test.each([
    ['rostock airport', 'Rostock–Laage'],
    ['roof lamp', 'Roof'],
    // vowel signs are letters, not accents
    ['का', 'की'],
  ])('%s does not find %s', (typed, text) => {
    expect(finds(typed, text)).toBe(false);
  });

  test('has no words if nothing visible is typed', () => {
    for (const typed of ['', '  ', '\u200F']) expect(searchWords(typed)).toEqual([]);
  });

  test.each(['-', '%', '_', '"', '\\', '“…”', '% _'])('%s, which no folded text contains, finds nothing', (typed) => {
    expect(finds(typed, `Quay 100% "north" _ - \\ ${typed}`)).toBe(false);
  });

  test('has each word once, up to a limit', () => {
    expect(searchWords('lamp LAMP Lampe o lam')).toEqual(['lampe', 'o']);
    expect(searchWords(Array.from({ length: 60 }, (_, index) => index + 100).join(' '))).toHaveLength(12);
  });

  test('treats the beginning of an id as one word', () => {
    const id = '019a7c51-00b1-7000-8000-00000000000c';
    expect(searchWords(id.toUpperCase())).toEqual([id.replaceAll('-', '')]);
    expect(searchWords(`${id.slice(0, 11)} roof`)).toEqual(['019a7c5100', 'roof']);
    expect(searchWords('beef-cafe')).toEqual(['beef', 'cafe']);
    expect(['019a7c51', '019a7c5', 'lighthouse'].map(mayBeginId)).toEqual([true, false, false]);
  });
});
