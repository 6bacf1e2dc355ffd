import { expect, test } from 'vitest';
import type { InvitationRole } from '@swarmdeck/bff/contract';
import { checkCodes, countChecked, noneKnown, openKey, toSend, withoutLines } from './invite-check.ts';
import type { Known } from './invite-check.ts';
import { readCodes } from './invite-codes.ts';

const id = (end: string) => `019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d${end}`;
const quay = { to: 'quay-watch', resource_id: id('10') };
const tug = { to: 'tug-office', resource_id: id('11') };
const text = (...codes: { to: string; resource_id: string }[]) =>
  codes.map(({ to, resource_id }) => `${to}/${resource_id}`).join('\n');

function kinds(pasted: string, known: Known = noneKnown, role: InvitationRole = 'producer') {
  const lines = checkCodes({ lines: readCodes(pasted), role, user_id: 'harbour-ops', known });
  return lines.map(({ verdict }) => verdict);
}

test('a line that nothing is known against is ready', () => {
  expect(kinds(text(quay, tug))).toEqual([
    { kind: 'ready', code: quay },
    { kind: 'ready', code: tug },
  ]);
});

test('the second of two same lines is sent once, and says where the first stands', () => {
  expect(kinds(`${text(quay)}\nnothing\n${text(quay)}`)).toEqual([
    { kind: 'ready', code: quay },
    { kind: 'malformed', fault: 'no_separator' },
    { kind: 'twice', first: 1 },
  ]);
});

test('one of my own is left out', () => {
  expect(kinds(text({ to: 'harbour-ops', resource_id: id('12') }))).toEqual([{ kind: 'own' }]);
});

test('a member is left out in the role it has, or has among both, and may be asked for the other', () => {
  const known = { ...noneKnown, members: new Map([[quay.resource_id, 'producer' as const]]) };
  expect(kinds(text(quay), known)).toEqual([{ kind: 'member' }]);
  expect(kinds(text(quay), known, 'consumer')).toEqual([{ kind: 'ready', code: quay }]);
  const both = { ...noneKnown, members: new Map([[quay.resource_id, 'both' as const]]) };
  expect(kinds(text(quay), both, 'consumer')).toEqual([{ kind: 'member' }]);
});

test('what is open in the same role is sent again, and in the other role is new', () => {
  const sent_at = '2026-01-02T03:04:05.678Z';
  const known = { ...noneKnown, open: new Map([[openKey(quay, 'producer'), sent_at]]) };
  expect(kinds(text(quay), known)).toEqual([{ kind: 'again', code: quay, sent_at }]);
  expect(kinds(text(quay), known, 'consumer')).toEqual([{ kind: 'ready', code: quay }]);
});

test('counts are of lines, people of users', () => {
  const open = new Map([[openKey(tug, 'producer'), '2026-01-02T03:04:05.678Z']]);
  const second = { to: 'quay-watch', resource_id: id('13') };
  const lines = checkCodes({
    lines: readCodes(`${text(quay, tug, second, quay)}\nx`),
    role: 'producer',
    user_id: 'harbour-ops',
    known: { ...noneKnown, open },
  });
  expect(countChecked(lines)).toEqual({ ready: 2, again: 1, left_out: 1, malformed: 1, people: 2 });
  expect(toSend(lines)).toEqual([
    { line: 1, code: quay, again: false },
    { line: 2, code: tug, again: true },
    { line: 3, code: second, again: false },
  ]);
});

test('what was sent leaves the list, what was not stays as it was typed', () => {
  expect(withoutLines('a\n\nb\r\nc', new Set([1, 4]))).toBe('b');
  expect(withoutLines('a\nb', new Set())).toBe('a\nb');
});
