import { expect, test } from 'vitest';
import { errorSentence, isPutOff, OfflineError, ProblemError } from './problem.ts';
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

test('what is only put off may be sent again, whatever the status, and a refusal is not', () => {
  const answered = (status: number, retryAfter: number | null = null) =>
    new ProblemError({ problem: { ...problem('x').problem, status }, retryAfter });
  const putOff = [408, 425, 429, 502, 503, 504].map((status) => answered(status));
  // Another request with the same key is being executed.
  for (const error of [...putOff, answered(409, 1), new OfflineError()]) expect(isPutOff(error)).toBe(true);
  for (const status of [400, 401, 403, 404, 409, 412, 500, 507]) expect(isPutOff(answered(status))).toBe(false);
});
