import { expect, test } from 'vitest';
import { ProblemError, errorSentence } from './problem.ts';

const problem = (code: string, detail = 'as the server says it') =>
  new ProblemError({ problem: { type: '', title: '', status: 409, detail, code, request_id: '' } });

test('a problem with a known code has the text of the app', () => {
  expect(errorSentence(problem('key.too_many'))).toMatch(/limit of API keys.*Revoke/);
});

test('a problem with an unknown code has the detail of the server', () => {
  expect(errorSentence(problem('something.new'))).toBe('as the server says it');
});
