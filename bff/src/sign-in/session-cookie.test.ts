import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Problem } from '../http/problem.ts';
import {
  keepsSecureCookies,
  readSessionCookie,
  requireSameOrigin,
  sessionCookieName,
  verifySignedToken,
} from './session-cookie.ts';

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
    expect(readSessionCookie(header)).toBe(value);
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

const host = 'devices.example.org:3000';

function refusal(method: string, headers: Record<string, string>): string | undefined {
  try {
    requireSameOrigin(new Request(`http://${host}/api/resources`, { method, headers: { host, ...headers } }));
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

describe('a write', () => {
  it.each([
    ['from a page of this site', { 'sec-fetch-site': 'same-origin' }],
    ['whose Origin is our host, where the browser says no more', { origin: `http://${host}` }],
    ['whose Origin is our host behind a proxy that ends TLS', { origin: `https://${host}` }],
  ])('is accepted %s', (_case, headers) => {
    expect(refusal('POST', headers)).toBeUndefined();
  });

  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from another host of our domain', { 'sec-fetch-site': 'same-site', origin: 'https://www.example.org' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['from another site, whatever its Origin says', { 'sec-fetch-site': 'cross-site', origin: `http://${host}` }],
    ['whose Origin is another host', { origin: 'https://evil.example' }],
    ['whose Origin is another port of our host', { origin: 'http://devices.example.org:3001' }],
    ['whose Origin begins like our host', { origin: `http://${host}.evil.example` }],
    ['whose Origin is hidden', { origin: 'null' }],
    ['that says nothing of where it comes from', {}],
  ] as [string, Record<string, string>][])('is refused %s', (_case, headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(refusal(method, headers)).toBe('origin.refused');
  });

  it('is checked, a cross-site read is not', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect(refusal(method, { 'sec-fetch-site': 'cross-site' })).toBeUndefined();
    }
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
