import { expect, test } from 'vitest';
import { maskPasswords } from './mask-passwords.ts';
import { readMailSettings } from './mail-settings.ts';

const needed = { MAIL_FROM: 'swarmdeck@example.org', PUBLIC_URL: 'https://devices.example.org' };

function read(env: Record<string, string>) {
  const faults: string[] = [];
  const settings = readMailSettings(env, { faults });
  return { settings, faults };
}
const serverOf = (url: string) => read({ SMTP_URL: url, ...needed });

test('without SMTP_URL there is no mail, and MAIL_FROM has no effect', () => {
  expect(read({})).toEqual({ settings: undefined, faults: [] });
  expect(read({ MAIL_FROM: 'a@b.org' }).faults).toEqual(['MAIL_FROM: has no effect without SMTP_URL']);
});

test.each([
  ['smtp://mail.example.org', { port: 587, tls: 'upgrade', login: undefined }],
  ['smtp://mail.example.org:2525/', { port: 2525, tls: 'upgrade' }],
  ['smtps://mail.example.org', { port: 465, tls: 'start' }],
  ['smtp://mail.example.org:25?tls=off', { port: 25, tls: 'off' }],
  ['smtp://an%40b:p%2F%40ss@mail.example.org', { login: { user: 'an@b', pass: 'p/@ss' } }],
])('%s', (url, expected) => {
  expect(serverOf(url)).toMatchObject({ settings: { host: 'mail.example.org', ...expected }, faults: [] });
});

test.each([
  'mail.example.org',
  'https://mail.example.org',
  'smtp://',
  'smtp://mail.example.org/path',
  'smtp://mail.example.org?tls=on',
  'smtp://mail.example.org?requireTLS=false',
  'smtps://mail.example.org?tls=off',
  'smtp://user@mail.example.org',
  'smtp://us%er:secret@mail.example.org',
  'smtp://mail.example.org#x',
  'smtp://ann:the secret of Ann@mail.example.org',
  'smtp://ann@example.org:secret@mail.example.org/x',
  'smtp://ann:sec"ret@mail.example.org/x',
  'smtp:ann:secret@mail.example.org/x',
  'ann:secret@mail.example.org',
])('%s is none, and nothing of it is on the screen', (url) => {
  const { settings, faults } = serverOf(url);
  expect([settings, faults.length]).toEqual([undefined, 1]);
  expect(faults[0]).toMatch(/^SMTP_URL: takes smtp:/);
  expect(faults[0]).not.toMatch(/secret|sec"|ann/);
  // What the operator reads is what was written: the end of the process masks all of it.
  expect(maskPasswords(faults[0]!)).toBe(faults[0]);
});

test('it needs PUBLIC_URL, and a sender', () => {
  expect(read({ SMTP_URL: 'smtp://mail.example.org' }).faults).toEqual([
    'MAIL_FROM: takes an address, like Swarmdeck <swarmdeck@example.org>',
    'PUBLIC_URL: must be set with SMTP_URL, because links in mails begin with it',
  ]);
});

test.each([
  ['Swarm deck <swarmdeck@example.org>', { name: 'Swarm deck', address: 'swarmdeck@example.org' }],
  ['swarmdeck@example.org', { name: '', address: 'swarmdeck@example.org' }],
  ['Swarmdeck', undefined],
  ['a\r\nBcc: <eve@example.org>', undefined],
])('a sender: %j', (MAIL_FROM, from) => {
  expect(read({ SMTP_URL: 'smtp://mail.example.org', ...needed, MAIL_FROM }).settings?.from).toEqual(from);
});

test.each([
  ['https://devices.example.org', 'a@mail.example.org', 'devices.example.org'],
  ['http://localhost:3000', 'a@example.org', 'example.org'],
  ['http://192.0.2.1:3000', 'a@example.org', 'example.org'],
  ['http://[2001:db8::1.2.3.4]', 'a@example.org', 'example.org'],
  ['http://swarmdeck', 'a@localhost', 'localhost.localdomain'],
])('a server at %s that sends from %s greets with %s', (PUBLIC_URL, MAIL_FROM, greeting) => {
  expect(read({ SMTP_URL: 'smtp://mail.example.org', PUBLIC_URL, MAIL_FROM }).settings).toMatchObject({ greeting });
});
