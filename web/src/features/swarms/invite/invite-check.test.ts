import { expect, test } from 'vitest';
import type { InvitationRole } from '@swarmdeck/bff/contract';
import {
  checkCodes,
  countChecked,
  hasOneRole,
  noneKnown,
  openKey,
  toSend,
  withoutLines,
  type Known,
} from './invite-check.ts';
import { readCodes } from './invite-codes.ts';

const id = (end: string) => `019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d${end}`;
const quay = { to: 'quay-watch', resource_id: id('10') };
const tug = { to: 'tug-office', resource_id: id('11') };
const text = (...codes: { to: string; resource_id: string }[]) =>
  codes.map(({ to, resource_id }) => `${to}/${resource_id}`).join('\n');

function check(pasted: string, known: Known = noneKnown, role: InvitationRole = 'producer') {
  return checkCodes({ lines: readCodes(pasted).lines, role, user_id: 'harbour-ops', known });
}

function kinds(...of: Parameters<typeof check>) {
  return check(...of).map(({ verdict }) => verdict);
}

test('a valid line is ready', () => {
  expect(check(text(quay, tug))).toMatchObject([
    { verdict: { kind: 'ready' }, code: quay, role: 'producer' },
    { verdict: { kind: 'ready' }, code: tug, role: 'producer' },
  ]);
});

test('a duplicate line refers to the first one and is not sent', () => {
  expect(kinds(`${text(quay)}\nnothing\n${text(quay)}`)).toEqual([
    { kind: 'ready' },
    { kind: 'malformed', error: 'no_separator' },
    { kind: 'twice', first: 1 },
  ]);
});

test('the user’s own device is left out', () => {
  expect(kinds(text({ to: 'harbour-ops', resource_id: id('12') }))).toEqual([{ kind: 'own' }]);
});

test('a manager is told that a device is the owner’s, and can invite own devices', () => {
  const lines = readCodes(`${text(quay)}\n${text({ to: 'manager', resource_id: id('12') })}`).lines;
  const checked = checkCodes({ lines, role: 'producer', user_id: 'manager', owner: quay.to, known: noneKnown });
  expect(checked.map(({ verdict }) => verdict)).toMatchObject([
    { kind: 'failed', problem: { errors: [{ code: 'invitation.to_owner' }] } },
    { kind: 'ready' },
  ]);
});

test('a member is left out if it has the role already, and can be invited for the other role', () => {
  const known = { ...noneKnown, members: new Map([[quay.resource_id, 'producer' as const]]) };
  expect(kinds(text(quay), known)).toEqual([{ kind: 'member' }]);
  expect(kinds(text(quay), known, 'consumer')).toEqual([{ kind: 'ready' }]);
  const both = { ...noneKnown, members: new Map([[quay.resource_id, 'both' as const]]) };
  expect(kinds(text(quay), both, 'consumer')).toEqual([{ kind: 'member' }]);
});

test('a member that ends earlier than what is offered is offered a later end', () => {
  const [early, late] = ['2026-11-20T12:00:00.000Z', '2026-11-21T12:00:00.000Z'];
  const members = new Map([[quay.resource_id, 'producer' as const]]);
  const known = { ...noneKnown, members, ends: new Map([[quay.resource_id, early]]) };
  const checked = (ends_at?: string, of: Known = known) =>
    checkCodes({ lines: readCodes(text(quay)).lines, role: 'producer', user_id: 'harbour-ops', known: of, ends_at });
  expect(checked(late)).toMatchObject([{ verdict: { kind: 'later', ends_at: early } }]);
  expect(countChecked(checked(late))).toMatchObject({ ready: 1, to_send: 1, left_out: 0, added: 1 });
  for (const lines of [checked(early), checked(), checked(late, { ...known, ends: new Map() })])
    expect(lines).toMatchObject([{ verdict: { kind: 'member' } }]);
});

test('a member that is offered its other role: the sender reads what becomes of its end', () => {
  const [early, late] = ['2026-11-20T12:00:00.000Z', '2026-11-21T12:00:00.000Z'];
  const members = new Map([[quay.resource_id, 'producer' as const]]);
  for (const [has, offered, role, verdict] of [
    [early, late, 'consumer', { kind: 'other_role', ends_at: early, becomes: 'replaced' }],
    [late, early, 'both', { kind: 'other_role', ends_at: late, becomes: 'replaced' }],
    [undefined, late, 'consumer', { kind: 'other_role', ends_at: undefined, becomes: 'limited' }],
    [early, undefined, 'consumer', { kind: 'other_role', ends_at: early, becomes: 'kept' }],
    [early, early, 'consumer', { kind: 'ready' }],
    [undefined, undefined, 'consumer', { kind: 'ready' }],
  ] as const) {
    const known = { ...noneKnown, members, ends: new Map(has === undefined ? [] : [[quay.resource_id, has]]) };
    const { lines } = readCodes(text(quay));
    const checked = checkCodes({ lines, role, user_id: 'harbour-ops', known, ends_at: offered });
    expect(checked[0]!.verdict).toEqual(verdict);
    expect(countChecked(checked)).toMatchObject({ ready: 1, to_send: 1, left_out: 0 });
  }
});

test('an open invitation is sent again for the same role, and is new for the other role', () => {
  const sent_at = '2026-01-02T03:04:05.678Z';
  const known = { ...noneKnown, open: new Map([[openKey(quay, 'producer'), sent_at]]) };
  expect(kinds(text(quay), known)).toEqual([{ kind: 'again', sent_at }]);
  expect(kinds(text(quay), known, 'consumer')).toEqual([{ kind: 'ready' }]);
});

test('of two open invitations for both roles, the one that is not sent again is named', () => {
  const sent_at = '2026-01-02T03:04:05.678Z';
  const open = new Map([
    [openKey(quay, 'producer'), sent_at],
    [openKey(quay, 'consumer'), sent_at],
  ]);
  const known = { ...noneKnown, open };
  const again = { kind: 'again', sent_at };
  expect(kinds(text(quay), known)).toEqual([{ ...again, kept: 'consumer' }]);
  expect(kinds(text(quay), known, 'consumer')).toEqual([{ ...again, kept: 'producer' }]);
  expect(countChecked(check(text(quay), known))).toMatchObject({ again: 1, kept: 1, to_send: 1 });
  expect(kinds(`${text(quay)} both`, known)).toEqual([again]);
  expect(kinds(`${text(quay)} sends\n${text(quay)} receives`, known)).toEqual([again, { kind: 'pair', first: 1 }]);
  const members = new Map([[quay.resource_id, 'producer' as const]]);
  expect(kinds(`${text(quay)} both`, { ...known, members })).toEqual([{ ...again, kept: 'producer' }]);
});

test('a CSV row is checked and sent with its own role, or else with the selected role', () => {
  const { to, resource_id } = quay;
  const csv = `user,id,role\n${to},${resource_id},consumer\n${to},${resource_id},producer\n${to},${resource_id},\n`;
  const members = new Map([[tug.resource_id, 'producer' as const]]);
  const lines = check(`${csv}${tug.to},${tug.resource_id},consumer`, { ...noneKnown, members });
  expect(lines.map(({ verdict, role, namesRole }) => [verdict.kind, role, namesRole])).toEqual([
    ['ready', 'consumer', true],
    ['pair', 'producer', true],
    ['twice', 'producer', false],
    ['ready', 'consumer', true],
  ]);
  expect(toSend(lines).map(({ resource_type }) => resource_type)).toEqual(['both', 'consumer']);
  expect(countChecked(lines).roles).toEqual({ producer: 0, consumer: 1, both: 1 });
});

test('two lines with the roles of a device are one invitation for both', () => {
  const sent_at = '2026-01-02T03:04:05.678Z';
  const codes = `${text(quay)} producer\n${text(quay)} consumer`;
  const lines = check(codes);
  expect(lines.map(({ verdict }) => verdict)).toEqual([{ kind: 'ready' }, { kind: 'pair', first: 1 }]);
  expect(toSend(lines)).toEqual([{ line: 1, ...quay, resource_type: 'both' }]);
  expect(countChecked(lines)).toMatchObject({ ready: 1, to_send: 1, left_out: 1, people: 1, added: 2 });
  const open = new Map([[openKey(quay, 'consumer'), sent_at]]);
  expect(kinds(codes, { ...noneKnown, open })).toEqual([
    { kind: 'again', sent_at },
    { kind: 'pair', first: 1 },
  ]);
  const members = new Map([[quay.resource_id, 'producer' as const]]);
  expect(kinds(codes, { ...noneKnown, members })).toEqual([{ kind: 'member' }, { kind: 'ready' }]);
  const problem = { code: 'resource.not_theirs' };
  const failed = new Map([[openKey(quay, 'both'), problem]]);
  const again = checkCodes({
    lines: readCodes(codes).lines,
    role: 'producer',
    user_id: 'harbour-ops',
    known: noneKnown,
    failed,
  });
  expect(again.map(({ verdict }) => verdict)).toEqual([
    { kind: 'failed', problem },
    { kind: 'pair', first: 1 },
  ]);
  expect(toSend(again)).toEqual([]);
});

test('a line with both roles is one line, which is left out if the device has or gets both', () => {
  const sent_at = '2026-01-02T03:04:05.678Z';
  const both = (known: Partial<Known>, before = '') => check(`${before}${text(quay)} both`, { ...noneKnown, ...known });
  const kindOf = (...of: Parameters<typeof both>) => both(...of).at(-1)!.verdict;
  expect(toSend(both({}))).toEqual([{ line: 1, ...quay, resource_type: 'both' }]);
  expect(countChecked(both({}))).toMatchObject({ ready: 1, added: 2, people: 1, roles: { both: 1 } });
  expect(kindOf({ members: new Map([[quay.resource_id, 'both' as const]]) })).toEqual({ kind: 'member' });
  expect(kindOf({ open: new Map([[openKey(quay, 'consumer'), sent_at]]) })).toEqual({ kind: 'again', sent_at });
  expect(kindOf({}, `${text(quay)} consumer\n`)).toEqual({ kind: 'pair', first: 1 });
  const codes = `${text(quay)} consumer\n${text(quay)} producer\n`;
  expect(kindOf({}, codes)).toEqual({ kind: 'twice', first: 2 });
  expect(kinds(`${text(quay)} both\n${text(quay)} consumer`)).toEqual([{ kind: 'ready' }, { kind: 'twice', first: 1 }]);
});

test('of both roles, a member is invited in the one that it does not have, and its line says so', () => {
  const known = { ...noneKnown, members: new Map([[quay.resource_id, 'producer' as const]]) };
  const invited = { line: 1, ...quay, resource_type: 'consumer' };
  for (const lines of [['both'], ['both', 'consumer'], ['consumer', 'both']]) {
    const checked = check(lines.map((role) => `${text(quay)} ${role}`).join('\n'), known);
    expect(toSend(checked)).toEqual([invited]);
    expect(checked.some(hasOneRole)).toBe(true);
    expect(countChecked(checked)).toMatchObject({ ready: 1, added: 1, roles: { consumer: 1, both: 0 } });
  }
  expect(check(`${text(quay)} both`).some(hasOneRole)).toBe(false);
});

test('a line that failed permanently is left out, for that role only', () => {
  const problem = { code: 'resource.not_theirs' };
  const failed = new Map([[openKey(quay, 'consumer'), problem]]);
  const of = (role: InvitationRole) =>
    checkCodes({ lines: readCodes(text(quay)).lines, role, user_id: 'harbour-ops', known: noneKnown, failed });
  expect(of('consumer')).toMatchObject([{ verdict: { kind: 'failed', problem } }]);
  expect(toSend(of('consumer'))).toEqual([]);
  expect(countChecked(of('consumer'))).toMatchObject({ ready: 0, left_out: 1 });
  expect(of('producer')).toMatchObject([{ verdict: { kind: 'ready' } }]);
});

test('lines and users are counted', () => {
  const open = new Map([[openKey(tug, 'producer'), '2026-01-02T03:04:05.678Z']]);
  const second = { to: 'quay-watch', resource_id: id('13') };
  const lines = check(`${text(quay, tug, second, quay)}\nx`, { ...noneKnown, open });
  expect(countChecked(lines)).toMatchObject({ ready: 2, again: 1, to_send: 3, left_out: 1, malformed: 1, people: 2 });
  expect(toSend(lines)).toEqual([
    { line: 1, ...quay, resource_type: 'producer' },
    { line: 2, ...tug, resource_type: 'producer' },
    { line: 3, ...second, resource_type: 'producer' },
  ]);
});

test('sent lines are removed from the text, and the others stay unchanged', () => {
  expect(withoutLines('a\n\nb\r\nc', new Set([1, 4]))).toBe('b');
  expect(withoutLines('a\nb', new Set())).toBe('a\nb');
});
