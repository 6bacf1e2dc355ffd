import { describe, expect, test, vi } from 'vitest';
import { inviteLink } from '../../../data/invite-link.ts';
import { loadTexts } from '../../../text/text.ts';
import { oneCodePerLine, readCodes, withRole } from './invite-codes.ts';

const id = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
const other = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d11';
const code = { to: 'quay-watch', resource_id: id };
const link = `https://deck.example/invite?to=quay-watch&resource=${id}`;
const linesOf = (text: string) => readCodes(text).lines;
const rolesOf = (text: string) => linesOf(text).map((line) => ('code' in line ? line.role : line.error));

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
    expect(linesOf(line)).toEqual([{ line: 1, text: line.trim(), code }]);
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
  ])('that is malformed has the error %s: %s', (error, line) => {
    expect(linesOf(line)).toEqual([{ line: 1, text: line, error }]);
  });
});

test('several codes on one line are lines of their own, each with its role', () => {
  const a = { to: 'ben', resource_id: id };
  const b = { to: 'ann', resource_id: other };
  const link = inviteLink({ origin: 'https://deck.example', ...b });
  for (const text of [
    `ben/${id}, ann/${other}`,
    `ben/${id} ann/${other}`,
    `ben/${id};ann/${other.toUpperCase()};`,
    `ben / ${id} | ann / ${other}`,
    `ben/${id}, ${link}`,
  ])
    expect(linesOf(text).map((line) => [line.line, 'code' in line && line.code])).toEqual([
      [1, a],
      [2, b],
    ]);
  expect(rolesOf(`ben/${id} consumer, ann/${other}, producer, ${link} both`)).toEqual(['consumer', 'producer', 'both']);
  expect(oneCodePerLine(`hello\nuser,id\nben,${id}\n\nben/${id}, ann/${other}`)).toBe(
    `hello\nuser,id\nben,${id}\n\nben/${id}\nann/${other}`,
  );
});

test.each(['- ', '* ', '•\t', '•', '– ', '1. ', '12) ', '> ', '- [x] '])(
  'a list with bullets is read: %s',
  (bullet) => {
    const text = `${bullet}quay-watch/${id} consumer\n${bullet}${link}\n  ${bullet}quay-watch, ${id}`;
    const lines = linesOf(text);
    expect(lines.map((line) => [line.line, 'code' in line && line.code])).toEqual([1, 2, 3].map((at) => [at, code]));
    expect(rolesOf(text)[0]).toBe('consumer');
    expect(withRole(text, { line: 1, role: 'both' }).split('\n')[0]).toBe(`quay-watch/${id} both`);
  },
);

test('empty lines are skipped but counted', () => {
  const lines = linesOf(`\r\nquay-watch/${id}\r\n\r\nx\r\n`);
  expect(lines.map(({ line }) => line)).toEqual([2, 4]);
});

test('a header defines the columns and is not a line', () => {
  const lines = linesOf(`role;id;user\n;${id};quay-watch`);
  expect(lines).toEqual([{ line: 2, text: `;${id};quay-watch`, code }]);
});

test('an invite link is read as the code that it was made of', () => {
  const link = inviteLink({ origin: 'https://deck.example', ...code });
  expect(linesOf(link)).toEqual([{ line: 1, text: link, code }]);
});

describe('the label', () => {
  const labelled = (label: string) => inviteLink({ origin: 'https://deck.example', ...code, label });
  const labelsOf = (text: string) => linesOf(text).map((line) => 'code' in line && line.label);

  test('comes with the link, or from a column', () => {
    expect(labelsOf(labelled('Pier 4, north'))).toEqual(['Pier 4, north']);
    expect(labelsOf(`user,id,label\nquay-watch,${id},"Pier, 4"\nquay-watch,${other},`)).toEqual(['Pier, 4', undefined]);
    expect(labelsOf(`user;id;Name;role\nquay-watch;${id};Pier 4;both`)).toEqual(['Pier 4']);
  });

  test.each([
    ['a\u0000b\u202Ec\nd\t e', 'a b c d e'],
    ['  spaces ', 'spaces'],
    ['\u2066\u200B\u2069', undefined],
    ['🛰'.repeat(200), '🛰'.repeat(128)],
  ])('is cleaned and not too long: %j', (text, label) => {
    const link = `https://deck.example/invite?${new URLSearchParams({ to: 'quay-watch', resource: id, label: text })}`;
    expect(labelsOf(link)).toEqual([label]);
  });

  test('stays when the role of the line is set', () => {
    vi.stubGlobal('location', { origin: 'https://deck.example' });
    for (const line of [labelled('Pier 4'), `user,id,label\nquay-watch,${id},Pier 4`]) {
      const next = withRole(line, { line: line.split('\n').length, role: 'both' });
      expect(linesOf(next)).toMatchObject([{ code, label: 'Pier 4', role: 'both' }]);
    }
    vi.unstubAllGlobals();
  });
});

describe('the role of a row', () => {
  test('comes from the column that the header names as role', () => {
    const rows = [`quay-watch,${id},consumer`, `quay-watch,${other}, Producer `, `tug-office,${id},`].join('\n');
    expect(rolesOf(`user,resource_id,role\n${rows}`)).toEqual(['consumer', 'producer', undefined]);
    expect(rolesOf(`user,resource_id,Resource Type\nquay-watch,${id},consumer`)).toEqual(['consumer']);
  });

  test('comes from the third column of rows without a header if it holds only roles', () => {
    expect(rolesOf(`quay-watch,${id},consumer\nquay-watch,${other}`)).toEqual(['consumer', undefined]);
  });

  test('is an error of the row if it is not a role', () => {
    const text = `user,id,role\nquay-watch,${id},boss\nquay-watch,${other},producer consumer boss`;
    expect(rolesOf(text)).toEqual(['role_unknown', 'role_unknown']);
  });

  test('is an error of the row also without a header, unless the user ignores the column', () => {
    const text = `quay-watch,${id},boss\nquay-watch,${other},chief`;
    expect(rolesOf(text)).toEqual(['role_unknown', 'role_unknown']);
    expect(readCodes(text).columns).toMatchObject([{ key: '#3', first: 'boss', use: 'role' }]);
    expect(readCodes(text, new Map([['#3', 'skip' as const]])).lines).toMatchObject([{ code }, { code: {} }]);
    const one = `quay-watch,${id},boss\nquay-watch,${other}`;
    expect(rolesOf(one)).toEqual(['role_unknown', undefined]);
    expect(readCodes(one).columns, 'one value is no column').toEqual([]);
    const mixed = `quay-watch,${id},boss\nquay-watch,${other},consumer`;
    expect(rolesOf(mixed)).toEqual(['role_unknown', 'consumer']);
    expect(readCodes(mixed).columns, 'the column is the role').toEqual([]);
  });

  test.each(['both', 'producer+consumer', 'Producer and Consumer', 'producer / consumer'])(
    'is both if it names both: %s',
    (role) => {
      for (const text of [`quay-watch;${id};${role}`, `quay-watch/${id} ${role}`, `${link} ${role}`]) {
        expect(linesOf(text).map((line) => [line.line, 'code' in line && line.role])).toEqual([[1, 'both']]);
      }
    },
  );

  test('can be in the language of the app, as the names of columns can', async () => {
    await loadTexts('de');
    try {
      expect(rolesOf(`Benutzername;Geräte-ID;Rolle\nquay-watch;${id};Konsument`)).toEqual(['consumer']);
      expect(rolesOf(`quay-watch/${id} Produzent\nquay-watch/${id} consumer`)).toEqual(['producer', 'consumer']);
      expect(rolesOf(`quay-watch;${id};Produzent und Konsument`)).toEqual(['both']);
      expect(rolesOf(`quay-watch/${id} beide`)).toEqual(['both']);
    } finally {
      await loadTexts('en');
    }
  });

  test('is read below a header that follows other lines', () => {
    const text = `tug-office/${other}\nuser,resource_id,role\nquay-watch,${id},consumer`;
    expect(rolesOf(text)).toEqual([undefined, 'consumer']);
  });
});

describe('a column that is not recognised', () => {
  const text = `user;id;Rolle;note\nquay-watch;${id};;\nquay-watch;${other};consumer;`;

  test('is named with its first value, and has no use yet', () => {
    expect(readCodes(text).columns).toEqual([
      { key: 'rolle', name: 'Rolle', first: 'consumer', uses: ['role', 'label'] },
    ]);
  });

  test('has the use that the user selected', () => {
    const { lines, columns } = readCodes(text, new Map([['rolle', 'role' as const]]));
    expect(columns).toMatchObject([{ use: 'role', uses: ['role', 'label'] }]);
    expect(lines).toMatchObject([{ code }, { role: 'consumer' }]);
    expect(readCodes(text, new Map([['rolle', 'skip' as const]])).lines).toMatchObject([{ code }, { code: {} }]);
  });

  test('can be the user or the id if the header names no other', () => {
    const foreign = `owner;Kennung;role\nquay-watch;${id};consumer`;
    expect(readCodes(foreign)).toMatchObject({
      lines: [{ error: 'id_malformed' }],
      columns: [{ name: 'Kennung', uses: ['id', 'label'] }],
    });
    expect(readCodes(foreign, new Map([['kennung', 'id' as const]])).lines).toMatchObject([{ code, role: 'consumer' }]);
  });

  test('is named by its number if there is no header or the header is too short', () => {
    expect(readCodes(`quay-watch,${id},Pier 4\nquay-watch,${other},Pier 5`).columns).toEqual([
      { key: '#3', number: 3, first: 'Pier 4', use: 'role', uses: ['role', 'label'] },
    ]);
    expect(readCodes(`user,id\nquay-watch,${id},"north, east"`).columns).toMatchObject([
      { key: '#3', first: 'north, east' },
    ]);
  });
});

describe('the role of a line', () => {
  test('is read after a code and from a link or after it', () => {
    const text = [`quay-watch/${id} consumer`, `${link}&role=producer`, `${link} consumer`, `${link}, boss`].join('\n');
    expect(rolesOf(text)).toEqual(['consumer', 'producer', 'consumer', 'role_unknown']);
  });

  test.each([
    ['a code', `quay-watch/${id}`, `quay-watch/${id} consumer`],
    ['a code with a role after a comma', `quay-watch/${id}, producer`, `quay-watch/${id} consumer`],
    ['a code with a role', `quay-watch/${id} producer`, `quay-watch/${id} consumer`],
    ['a link', link, `${link}&role=consumer`],
    ['a link with a role after it', `${link} producer`, `${link}&role=consumer`],
    ['a row', `quay-watch,${id}`, `quay-watch,${id},consumer`],
    ['a row with a role', `quay-watch;${id};producer`, `quay-watch;${id};consumer`],
  ])('is set in %s', (_form, line, next) => {
    expect(withRole(line, { line: 1, role: 'consumer' })).toBe(next);
    expect(rolesOf(next)).toEqual(['consumer']);
  });

  test('is set in the column of a header, and other lines stay as they are', () => {
    const text = `note;role;id;user\n"a;b";producer;${id};quay-watch\n;;${other};tug-office`;
    const next = withRole(text, { line: 2, role: 'consumer' }, new Map([['note', 'skip' as const]]));
    expect(next).toBe(`note;role;id;user\n"a;b";consumer;${id};quay-watch\n;;${other};tug-office`);
    expect(withRole(next, { line: 3, role: 'producer' })).toContain(`;producer;${other};tug-office`);
  });

  test('turns a row without a place for it into a code', () => {
    const text = `user,id\nquay-watch,${id}`;
    expect(withRole(text, { line: 2, role: 'consumer' })).toBe(`user,id\nquay-watch/${id} consumer`);
  });

  test('is not set in a malformed or a missing line', () => {
    expect(withRole('hello', { line: 1, role: 'consumer' })).toBe('hello');
    expect(withRole('hello', { line: 7, role: 'consumer' })).toBe('hello');
  });
});
