import { expect, test } from 'vitest';
import { ProblemError } from '../../api/problem.ts';
import { errorText } from './error-text.ts';

const refusedBy = (code: string, detail = 'as the server says it') =>
  new ProblemError({ problem: { type: '', title: '', status: 409, detail, code, request_id: '' } });

test('a key too many is said in our own words, with what to do', () => {
  expect(errorText(refusedBy('key.too_many'))).toMatch(/limit of API keys.*Revoke/);
});

test('what we have no words for is said in those of the server', () => {
  expect(errorText(refusedBy('something.new'))).toBe('as the server says it');
});
