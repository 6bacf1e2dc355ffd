import { describe, expect, test } from 'vitest';
import { inviteLink, readCodes } from './invite-codes.ts';

const id = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
const other = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d11';
const code = { to: 'quay-watch', resource_id: id };

describe('a line', () => {
  test.each([
    ['user/resource-id', `quay-watch/${id}`],
    ['with space and capitals around it', `  Quay-Watch / ${id.toUpperCase()} `],
    ['the link', `https://deck.example:8443/invite?to=quay-watch&resource=${id}`],
    ['the link with a swarm in it', `http://localhost/invite?to=quay-watch&resource=${id}&swarm=${other}`],
    ['comma', `quay-watch,${id}`],
    ['semicolon', `quay-watch; ${id}`],
    ['tab', `quay-watch\t${id}`],
    ['quotes', `"quay-watch","${id}"`],
  ])('is read as %s', (_form, line) => {
    expect(readCodes(line)).toEqual([{ line: 1, text: line.trim(), code }]);
  });

  test.each([
    ['no_separator', `quay-watch ${id}`],
    ['no_separator', 'hello'],
    ['user_malformed', `Quay Watch/${id}`],
    ['user_malformed', `/${id}`],
    ['id_malformed', 'quay-watch/r_41aa90de'],
    ['id_malformed', 'quay-watch/'],
    ['link_incomplete', 'https://deck.example/invite?to=quay-watch'],
    ['link_incomplete', `https://deck.example/invite?resource=${id}`],
    ['link_incomplete', 'https://deck.example/'],
  ])('that is malformed says %s: %s', (fault, line) => {
    expect(readCodes(line)).toEqual([{ line: 1, text: line, fault }]);
  });
});

test('lines keep their numbers where empty ones stand between', () => {
  const lines = readCodes(`\r\nquay-watch/${id}\r\n\r\nx\r\n`);
  expect(lines.map(({ line }) => line)).toEqual([2, 4]);
});

test('a header says which column is which, and is no line of its own', () => {
  const lines = readCodes(`name;id;user\nPier 4;${id};quay-watch`);
  expect(lines).toEqual([{ line: 2, text: `Pier 4;${id};quay-watch`, code }]);
});

test('what the link says is what is read out of it', () => {
  const link = inviteLink({ origin: 'https://deck.example', ...code });
  expect(readCodes(link)).toEqual([{ line: 1, text: link, code }]);
});
