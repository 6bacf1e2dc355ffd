import type { ActionResult } from '@swarmdeck/bff/contract';
import { describe, expect, test } from 'vitest';
import { checkCodes, noneKnown, toSend } from './invite-check.ts';
import { readCodes } from './invite-codes.ts';
import { failuresOf, remainingText } from './remaining-lines.ts';

const id = (end: string) => `019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d${end}`;
const ok = null;
const failed = (code = 'storage.full', field?: string): ActionResult => ({
  code,
  ...(field !== undefined && { errors: [{ pointer: '/resource_id', code: field }] }),
});

function sentFrom(text: string, results: ActionResult[], known = noneKnown) {
  const { lines } = readCodes(text);
  const checked = checkCodes({ lines, role: 'producer', user_id: 'harbour-ops', known });
  const sent = toSend(checked).map((row, index) => ({ ...row, result: results[index] }));
  return { text, isSent: true, lines, sent };
}

describe('the text after an action', () => {
  test('has only the lines that were not sent', () => {
    const text = `ann/${id('10')}\nnonsense\nbob/${id('11')}\neve/${id('12')}`;
    const left = sentFrom(text, [ok, failed()]);
    expect(remainingText(left)).toBe(`nonsense\nbob/${id('11')}\neve/${id('12')}`);
  });

  test('has no duplicates of a line that was sent', () => {
    const text = `ann/${id('10')}\nnonsense\nhttps://deck.example/invite?to=ann&resource=${id('10')}`;
    expect(remainingText(sentFrom(text, [ok]))).toBe('nonsense');
  });

  test('has a line with both roles until they are sent', () => {
    const text = `ann/${id('10')} both\nbob/${id('11')} both`;
    expect(remainingText(sentFrom(text, [ok, failed()]))).toBe(`bob/${id('11')} both`);
    expect(remainingText(sentFrom(text, [ok, ok]))).toBe('');
    const members = new Map([[id('11'), 'producer' as const]]);
    expect(remainingText(sentFrom(text, [failed(), ok], { ...noneKnown, members }))).toBe(`ann/${id('10')} both`);
  });

  test('has both rows of a device until its invitation is sent, and the header while there are rows', () => {
    const header = 'user,id,role';
    const text = `${header}\nann,${id('10')},consumer\nann,${id('10')},producer\nbob,${id('11')},`;
    expect(remainingText(sentFrom(text, [ok, failed()]))).toBe(`${header}\nbob,${id('11')},`);
    expect(remainingText(sentFrom(text, [failed(), ok]))).toBe(text.split('\n').slice(0, 3).join('\n'));
    expect(remainingText(sentFrom(text, [ok, ok]))).toBe('');
  });

  test('has no lines with and without a role of a device that was invited for both', () => {
    const text = `ann/${id('10')} consumer\nann/${id('10')}\nbob/${id('11')}`;
    expect(remainingText(sentFrom(text, [ok, ok]))).toBe('');
  });

  test('stays unchanged if it was edited; if it was empty, it gets the unsent lines', () => {
    const { sent } = sentFrom(`user,id,role\nann,${id('10')},consumer\nbob,${id('11')},consumer`, [ok, failed()]);
    expect(remainingText({ text: 'edited', isSent: false, lines: [], sent })).toBe('edited');
    expect(remainingText({ text: '', isSent: false, lines: [], sent })).toBe(`bob,${id('11')},consumer`);
  });
});

test('only failures that would happen again are remembered', () => {
  const results = [
    failed('body.invalid', 'resource.not_theirs'),
    failed('body.invalid', 'body.field_invalid'),
    failed(),
    ok,
  ];
  const text = ['10', '11', '12', '13', '14'].map((end) => `ann/${id(end)}`).join('\n');
  expect([...failuresOf(sentFrom(text, results).sent)]).toEqual([[`ann/${id('10')}/producer`, results[0]]]);
});
