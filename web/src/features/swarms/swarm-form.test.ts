import { expect, test } from 'vitest';
import { checkSwarm, errorsOf } from './swarm-form.ts';
import type { SwarmValues } from './swarm-form.ts';

const base: SwarmValues = { name: 'Harbour', description: 'Wind.', public: false };

test('the form has the same rules as the service', () => {
  expect(checkSwarm({ ...base, name: '' })).toEqual({ name: 'missing' });
  expect(checkSwarm({ ...base, name: ' \u200b' })).toEqual({ name: 'invisible' });
  expect(checkSwarm({ ...base, name: 'x'.repeat(129) })).toEqual({ name: 'too_long' });
  expect(checkSwarm({ ...base, description: 'a\u0000' })).toEqual({ description: 'unprintable' });
  expect(checkSwarm(base)).toEqual({});
});

test('server errors are assigned to their fields', () => {
  const problem = { type: '', title: '', status: 400, detail: '', code: 'body.invalid', request_id: '' };
  const errors = [
    { pointer: '/name', code: '', detail: 'must have at most 128 characters' },
    { pointer: '/other', code: '', detail: 'is unknown' },
  ];
  expect(errorsOf({ ...problem, errors })).toEqual({ name: { detail: 'must have at most 128 characters' } });
});
