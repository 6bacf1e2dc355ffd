import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findLeaks } from './key-leak.fixture.ts';

const key = 'swb_Zk3Qm8vT1xY6bN0pLr5sWd9aHc2eGu4KjF7';
const other = 'swb_Aa3Qm8vT1xY6bN0pLr5sWd9aHc2eGu4KjF8';
const digestOf = (text: string) => createHash('sha256').update(text).digest();
const evidence = (text: string | Uint8Array) => [{ place: 'here', bytes: Buffer.from(text as string) }];

describe('findLeaks', () => {
  const planted: [string, (text: string) => string | Uint8Array][] = [
    ['in plain text', (text) => `{"key":"${text}"}`],
    ['without its prefix', (text) => text.slice(4)],
    ['backwards', (text) => [...text].toReversed().join('')],
    ['in a lower-case header', (text) => `x: ${text.toLowerCase()}`],
    ['in base64', (text) => Buffer.from(text).toString('base64')],
    ['in base64 at offset 1', (text) => Buffer.from(`:${text}:`).toString('base64')],
    ['in base64 at offset 2', (text) => Buffer.from(`a:${text}, and more`).toString('base64')],
    ['in base64url, as a credential', (text) => Buffer.from(`ann:${text}`).toString('base64url')],
    ['in hex', (text) => Buffer.from(text).toString('hex')],
    ['URL-encoded', (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')],
    ['in a query', (text) => `/x?key=${encodeURIComponent(text)}`],
    ['in JSON escapes', (text) => [...text].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')],
    ['in UTF-16', (text) => Buffer.from(text, 'utf16le')],
    ['as its digest', digestOf],
    ['as its digest in hex', (text) => `sha256:${digestOf(text).toString('hex')}`],
    ['as its digest in base64', (text) => `sha256-${digestOf(text).toString('base64')}`],
  ];
  it.each(planted)('finds a key %s', (_form, plant) => {
    expect(findLeaks({ key, evidence: evidence(plant(key)) })).not.toEqual([]);
  });
  it.each(planted)('does not find another key %s', (_form, plant) => {
    expect(findLeaks({ key, evidence: evidence(plant(other)) })).toEqual([]);
  });

  it('reports the place and the form of each leak', () => {
    const clean = { place: 'body', bytes: Buffer.from('nothing') };
    const dirty = { place: 'log', bytes: Buffer.from(key) };
    expect(findLeaks({ key, evidence: [clean, dirty] })).toContainEqual({ place: 'log', form: 'in plain text' });
    expect(findLeaks({ key, evidence: [clean, dirty] }).every(({ place }) => place === 'log')).toBe(true);
  });

  it('allows the raw digest in the storage, and no other form', () => {
    const stored = (bytes: Uint8Array) => [{ place: 'storage', bytes, storesDigest: true }];
    expect(findLeaks({ key, evidence: stored(digestOf(key)) })).toEqual([]);
    expect(findLeaks({ key, evidence: stored(Buffer.from(digestOf(key).toString('hex'))) })).not.toEqual([]);
    expect(findLeaks({ key, evidence: stored(Buffer.from(key)) })).not.toEqual([]);
  });
});
