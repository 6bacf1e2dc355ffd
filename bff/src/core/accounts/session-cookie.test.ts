import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readCookie } from './cookies.ts';
import { keepsSecureCookies, sessionCookieName, verifySignedToken } from './session-cookie.ts';

const secret = 'a secret of the tests, of 32 and more characters';
const sign = (token: string, key = secret) =>
  encodeURIComponent(`${token}.${createHmac('sha256', key).update(token).digest('base64')}`);

describe('the session cookie of a Cookie header', () => {
  const name = sessionCookieName;
  it.each([
    ['alone', `${name}=abc`, 'abc'],
    ['between others', `theme=dark; ${name}=abc; lang=en`, 'abc'],
    ['without a space after the semicolon', `theme=dark;${name}=abc`, 'abc'],
    ['the first of two', `${name}=abc; ${name}=def`, 'abc'],
    ['not one whose name only begins like it', `${name}2=abc`, undefined],
    ['not one whose name only ends like it', `x${name}=abc`, undefined],
    ['not a value that looks like it', `theme=${name}=abc`, undefined],
    ['nothing in an empty header', '', undefined],
    ['nothing without a header', null, undefined],
  ])('is found %s', (_case, header, value) => {
    expect(readCookie(header, name)).toBe(value);
  });
});

describe('a signed token', () => {
  it('returns the signed token', () => {
    expect(verifySignedToken({ value: sign('tokenOfASession'), secret })).toBe('tokenOfASession');
  });

  const forged: [string, string][] = [
    ['signed with another secret', sign('token', 'another secret of 32 and more characters..')],
    ['of another token', sign('token').replace('token', 'tokem')],
    ['without a signature', 'token'],
    ['with an empty signature', 'token.'],
    ['with half of its signature', sign('token').slice(0, 25)],
    ['with no token', sign('')],
    ['badly encoded', '%E0%A4%A'],
    ['empty', ''],
  ];
  it.each(forged)('is refused %s', (_case, value) => {
    expect(verifySignedToken({ value, secret })).toBeUndefined();
  });

  it('is rejected in a longer encoding, which bounds the cache', () => {
    const padded = (length: number) => `${sign('token')}${'~'.repeat(length - sign('token').length)}`;
    expect(verifySignedToken({ value: padded(256), secret })).toBe('token');
    expect(verifySignedToken({ value: padded(257), secret })).toBeUndefined();
  });
});

describe('a cookie that needs a secure connection', () => {
  it.each([
    ['https://devices.example.org', true],
    ['http://localhost:3000', true],
    ['http://app.localhost:3000', true],
    ['http://127.0.0.1:3000', true],
    ['http://[::1]:3000', true],
    ['http://192.168.1.20:3000', false],
    ['http://devices.example.org', false],
    ['http://localhost.example.org', false],
  ])('is stored by browsers at %s: %s', (origin, kept) => {
    expect(keepsSecureCookies(new Request(origin, { headers: { origin } }))).toBe(kept);
  });
});
