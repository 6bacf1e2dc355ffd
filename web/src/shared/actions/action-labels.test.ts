import { expect, it } from 'vitest';
import { resultSentence } from './action-labels.tsx';

it('says of a failed invitation what the list of the page that sent it says', () => {
  const errors = [{ pointer: '/resource_id', code: 'resource.not_theirs' }];
  const result = { code: 'body.invalid', detail: '', errors };
  expect(resultSentence('invite', result)).toBe('this user has no such device');
  expect(resultSentence('delete', result)).toBe('The server rejected this input. Check the fields and try again.');
  expect(resultSentence('invite', undefined)).toBe('');
});

it('says of an answer whose end has passed meanwhile that the end is the reason', () => {
  const errors = [{ pointer: '/ends_at', code: 'field.out_of_range' }];
  expect(resultSentence('answer', { code: 'body.invalid', detail: '', errors })).toBe(
    'The chosen end has passed, or is later than allowed. Choose another one.',
  );
});
