import { expect, test } from 'vitest';
import { ProblemError } from '../../api/problem.ts';
import { t } from '../../text/text.ts';
import { checkSwarm, errorsOf, type SwarmValues } from './swarm-form.ts';

const base: SwarmValues = {
  name: 'Harbour',
  description: 'Wind.',
  public: false,
  listed: false,
  accepts_requests: true,
};

test('the form has the same rules as the service', () => {
  expect(checkSwarm({ ...base, name: '' })).toEqual({ name: 'Enter a name.' });
  expect(checkSwarm({ ...base, name: ' \u200b' })).toEqual({ name: 'A name needs at least one visible character.' });
  expect(checkSwarm({ ...base, name: 'x'.repeat(129) })).toEqual({ name: 'At most 128 characters.' });
  expect(checkSwarm({ ...base, description: 'a\u0000' })).toEqual({ description: 'Remove the control characters.' });
  expect(checkSwarm(base)).toEqual({});
});

test('server errors are assigned to their fields', () => {
  const problem = { type: '', title: '', status: 400, detail: '', code: 'body.invalid', request_id: '' };
  const errors = [
    { pointer: '/name', code: '', detail: 'must have at most 128 characters' },
    { pointer: '/other', code: '', detail: 'is unknown' },
  ];
  const rejected = { name: t.shell.problems['body.invalid'] };
  expect(errorsOf(new ProblemError({ problem: { ...problem, errors } }))).toEqual(rejected);
  expect(errorsOf(null)).toEqual({});
});
