import { expect, test } from 'vitest';
import { ifMatch } from './if-match.ts';

test.each(['"5"', 'W/"5"', '"5-gzip"', '"5--gzip"', 'W/"5-br"'])(
  'a write to the version %s names the tag of the server',
  (etag) => {
    expect(ifMatch(etag)).toEqual({ 'if-match': '"5"' });
  },
);

test('a tag that is no version is sent as it is, and none if there is none', () => {
  expect(ifMatch('"a5"')).toEqual({ 'if-match': '"a5"' });
  expect(ifMatch(null)).toEqual({});
});
