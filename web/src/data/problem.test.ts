import { expect, test } from 'vitest';
import { ProblemError, errorSentence } from './problem.ts';
import { t } from '../text/text.ts';

const problem = (code: string, detail = 'as the server says it') =>
  new ProblemError({ problem: { type: '', title: '', status: 409, detail, code, request_id: '' } });

test('a problem with a known code has the text of the app', () => {
  expect(errorSentence(problem('key.too_many'))).toMatch(/limit of API keys.*Revoke/);
});

test('a problem with an unknown code has the detail of the server', () => {
  expect(errorSentence(problem('something.new'))).toBe('as the server says it');
});

test('a wait of some minutes is named', () => {
  const limited = (retryAfter: number | null) =>
    errorSentence(new ProblemError({ problem: problem('rate.exceeded').problem, retryAfter }));
  expect(limited(239)).toBe('Too many requests. Try again in 4 min.');
  expect([limited(1), limited(60), limited(null)]).toEqual(Array(3).fill(t.shell.problems['rate.exceeded']));
});
