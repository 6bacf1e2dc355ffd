import { expect, test } from 'vitest';
import { createLinkCodes } from './link-codes.ts';

const secret = 'a secret of the tests, of 32 and more characters';
const next = 'another secret of the tests, of 32 characters';
const id = '019a7c51-5d0e-7c1c-8a4e-000000000001';

test('codes and passes of the secret before are accepted while it is set, and new ones are of the new secret', () => {
  const before = createLinkCodes([secret]);
  const during = createLinkCodes([next, secret]);
  const after = createLinkCodes([next]);
  const code = before.codeOf(id);
  const pass = before.passOf({ id, userId: 'ann' });
  const accepts = (codes: typeof before) => [
    codes.read(code),
    codes.isPass({ id, userId: 'ann', pass }),
    codes.isPass({ id, userId: 'bob', pass }),
  ];
  expect(accepts(during)).toEqual([{ id, isGenuine: true }, true, false]);
  expect(accepts(after)).toEqual([{ id, isGenuine: false }, false, false]);
  expect(during.codeOf(id)).toBe(after.codeOf(id));
  expect(during.codeOf(id)).not.toBe(code);
});
