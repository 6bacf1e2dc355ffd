import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../../api/problem.ts';
import { checkCodes, noneKnown, toSend } from './invite-check.ts';
import { readCodes } from './invite-codes.ts';
import { failuresOf, leftOf } from './remaining-lines.ts';
import type { ShownResult } from '../../../api/jobs/bulk-job.ts';

const id = (end: string) => `019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d${end}`;
const ok: ShownResult = { ok: true };
const failed = (error: unknown): ShownResult => ({ ok: false, error });

function problem(status: number, code: string, field?: string): ProblemError {
  const errors = field === undefined ? {} : { errors: [{ pointer: '/resource_id', code: field, detail: '' }] };
  return new ProblemError({ problem: { type: '', title: '', status, detail: '', code, request_id: '', ...errors } });
}

function jobOf(text: string, ends: ShownResult[]) {
  const { lines } = readCodes(text);
  const checked = checkCodes({ lines, role: 'producer', user_id: 'harbour-ops', known: noneKnown });
  const rows = toSend(checked).map((row, index) => ({ ...row, result: ends[index] ?? null }));
  const about = { swarm: { id: 's', name: 'Swarm' }, role: 'producer' as const, message: '' };
  return { text, isSent: true, lines, job: { about, lines: rows } };
}

describe('the text after a job', () => {
  test('has only the lines that were not sent', () => {
    const text = `ann/${id('10')}\nnonsense\nbob/${id('11')}\neve/${id('12')}`;
    const left = jobOf(text, [ok, failed(null), { ok: false, stopped: true }]);
    expect(leftOf(left)).toBe(`nonsense\nbob/${id('11')}\neve/${id('12')}`);
  });

  test('has no duplicates of a line that was sent', () => {
    const text = `ann/${id('10')}\nnonsense\nhttps://deck.example/invite?to=ann&resource=${id('10')}`;
    expect(leftOf(jobOf(text, [ok]))).toBe('nonsense');
  });

  test('has a line with both roles until both are sent', () => {
    const text = `ann/${id('10')} both\nbob/${id('11')} both`;
    expect(leftOf(jobOf(text, [ok, ok, ok, failed(null)]))).toBe(`bob/${id('11')} both`);
    expect(leftOf(jobOf(text, [ok, ok, ok, ok]))).toBe('');
  });

  test('keeps a row with the other role, and the header while there are rows', () => {
    const header = 'user,id,role';
    const text = `${header}\nann,${id('10')},consumer\nann,${id('10')},producer`;
    expect(leftOf(jobOf(text, [ok, failed(null)]))).toBe(`${header}\nann,${id('10')},producer`);
    expect(leftOf(jobOf(text, [ok, ok]))).toBe('');
  });

  test('stays unchanged if it was edited; if it was empty, it gets the unsent lines', () => {
    const { job } = jobOf(`user,id,role\nann,${id('10')},consumer\nbob,${id('11')},consumer`, [ok, failed(null)]);
    expect(leftOf({ text: 'edited', isSent: false, lines: [], job })).toBe('edited');
    expect(leftOf({ text: '', isSent: false, lines: [], job })).toBe(`bob,${id('11')},consumer`);
  });
});

test('only failures that would happen again are remembered', () => {
  const error = problem(400, 'body.invalid', 'resource.not_theirs');
  const message = problem(400, 'body.invalid', 'body.field_invalid');
  const text = ['10', '11', '12', '13', '14'].map((end) => `ann/${id(end)}`).join('\n');
  const ends = [failed(error), failed(message), failed(problem(503, 'storage.away')), { ok: false, stopped: true }, ok];
  expect([...failuresOf(jobOf(text, ends as ShownResult[]).job.lines)]).toEqual([[`ann/${id('10')}/producer`, error]]);
});
