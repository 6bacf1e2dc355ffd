import { expect, test } from 'vitest';
import { ProblemError } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { checkSwarm, errorsOf, savedValues, swarmMerge, type SwarmValues } from './swarm-form.ts';

const base: SwarmValues = {
  name: 'Harbour',
  description: 'Wind.',
  public: false,
  listed: false,
  accepts_requests: true,
  expected_every: null,
};

test('the form has the same rules as the service', () => {
  expect(checkSwarm({ ...base, name: '' })).toEqual({ name: 'Enter a name.' });
  expect(checkSwarm({ ...base, name: ' \u200b' })).toEqual({ name: 'A name needs at least one visible character.' });
  expect(checkSwarm({ ...base, name: 'x'.repeat(129) })).toEqual({ name: 'At most 128 characters.' });
  expect(checkSwarm({ ...base, description: 'a\u0000' })).toEqual({ description: 'Remove the control characters.' });
  expect(checkSwarm(base)).toEqual({});
});

test('switching Public off and on leaves a swarm listed, and off, only Public is sent', () => {
  const listed = { ...base, public: true, listed: true };
  const changesOf = (draft: SwarmValues) =>
    swarmMerge.changed({ base: listed, mine: savedValues({ base: listed, draft }) });
  expect(changesOf(listed)).toEqual([]);
  expect(changesOf({ ...listed, public: false })).toEqual(['public']);
  expect(changesOf({ ...listed, public: false, listed: false })).toEqual(['public']);
});

test('server errors are assigned to their fields', () => {
  const problem = { type: '', title: '', status: 400, detail: '', code: 'body.invalid', request_id: '' };
  const errors = [
    { pointer: '/name', code: '', detail: 'must have at most 128 characters' },
    { pointer: '/other', code: '', detail: 'is unknown' },
  ];
  const rejected = { name: t.problems['body.invalid'] };
  expect(errorsOf(new ProblemError({ problem: { ...problem, errors } }))).toEqual(rejected);
  expect(errorsOf(null)).toEqual({});
});
