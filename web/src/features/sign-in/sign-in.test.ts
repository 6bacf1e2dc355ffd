import { afterEach, expect, test, vi } from 'vitest';
import { OfflineError, ProblemError } from '../../data/problem.ts';
import { parseUserAgent } from '@swarmdeck/bff/user-agent';
import { checkPassword } from '../../shared/account/check-password.ts';
import { checkCredentials, credentialErrors } from './sign-in-card.tsx';
import { redirectTargetOf } from './redirect-target.ts';
import { enter, enterWithCode, newAttempt } from './sign-in.api.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const problem = (code: string, errors?: { pointer: string; code: string; detail: string }[]) =>
  new ProblemError({
    problem: {
      type: '',
      title: '',
      status: 400,
      detail: 'Said by the server',
      code,
      request_id: '',
      ...(errors && { errors }),
    },
  });

test.each([
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '/\\elsewhere.example',
  'javascript:alert(1)',
  '/sign-in?next=/x',
  '/.//elsewhere.example',
  '/x/..//elsewhere.example',
  '/%2e//elsewhere.example',
])('sign-in does not redirect to %s', (next) => {
  expect(redirectTargetOf(next)).toEqual({ path: '/', place: null });
});

test('the redirect target keeps its path and query, and has the name of its page', () => {
  expect(redirectTargetOf('/invitations?tab=sent')).toEqual({ path: '/invitations?tab=sent', place: 'Invitations' });
  expect(redirectTargetOf('/account#keys')).toEqual({ path: '/account#keys', place: 'Account' });
  expect(redirectTargetOf('/devices/1')).toEqual({ path: '/devices/1', place: 'Devices' });
  expect(redirectTargetOf('/?q=quay')).toEqual({ path: '/?q=quay', place: 'Devices' });
  expect(redirectTargetOf('/invite?to=ann&resource=1').place).toBe('Invite devices');
  expect(redirectTargetOf('/unheard-of')?.place).toBe('The page you opened');
});

test.each(['__proto__', 'constructor', 'toString'])('a path that is no page has no name of its own: %s', (name) => {
  expect(redirectTargetOf(`/${name}`)).toEqual({ path: `/${name}`, place: 'The page you opened' });
});

test('the home page has no name', () => {
  expect(redirectTargetOf('/').place).toBeNull();
  expect(redirectTargetOf(null).place).toBeNull();
});

test('a sign-in without an answer has changed nothing that the user must check', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('the answer is lost');
  });
  const credentials = { username: 'ann', password: 'long enough' };
  const errorOf = (entering: Promise<unknown>) => entering.catch((error: unknown) => error);
  expect(await errorOf(enter({ mode: 'sign-in', ...credentials }))).toMatchObject({ code: 'service.unreachable' });
  expect(await errorOf(enterWithCode('123456'))).toMatchObject({ code: 'service.unreachable' });
  expect(await errorOf(enter({ mode: 'sign-up', ...credentials }))).toMatchObject({ code: 'service.no_answer' });
});

test('the length of a password is counted in characters, not in UTF-16 units', () => {
  expect(checkPassword('🔑'.repeat(7))).toBeDefined();
  expect(checkPassword('🔑'.repeat(8))).toBeUndefined();
  expect(checkPassword('🔑'.repeat(128))).toBeUndefined();
  expect(checkPassword('x'.repeat(129))).toBeDefined();
});

test('sign-in requires only non-empty fields; sign-up checks the rules', () => {
  const old = { username: 'Old Name', password: 'short' };
  expect(checkCredentials({ mode: 'sign-in', ...old })).toEqual({});
  expect(Object.keys(checkCredentials({ mode: 'sign-up', ...old }))).toEqual(['username', 'password']);
  expect(Object.keys(checkCredentials({ mode: 'sign-in', username: '', password: '' }))).toEqual([
    'username',
    'password',
  ]);
});

test('the space that keyboards of phones add behind a name is no error', () => {
  const typed = { username: 'ann ', password: 'a good password' };
  expect(checkCredentials({ mode: 'sign-up', ...typed })).toEqual({});
});

test('an error is shown at its field, or above the form if it has none', () => {
  expect(Object.keys(credentialErrors(problem('sign_up.name_taken'), 'sign-up'))).toEqual(['username']);
  expect(
    Object.keys(
      credentialErrors(problem('password.too_weak', [{ pointer: '/password', code: 'x', detail: 'x' }]), 'sign-in'),
    ),
  ).toEqual(['password']);
  expect(Object.keys(credentialErrors(problem('sign_in.wrong_password'), 'sign-in'))).toEqual(['form']);
  expect(credentialErrors(problem('people.unheard_of'), 'sign-in').form).toBe('Said by the server');
  expect(credentialErrors(new OfflineError(), 'sign-in').form).toMatch(/Can’t reach/);
});

test('a sign-up without an answer is tried again with its attempt, and the server answers as to the first one', async () => {
  const lost = new OfflineError('', { isUnknown: true });
  expect(credentialErrors(lost, 'sign-up').form).toMatch(/may have been created/);
  expect(credentialErrors(lost, 'sign-in').form).not.toMatch(/may have been created/);

  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    if (path === '/auth/sign-up') sent.push((JSON.parse(body as string) as { attempt: unknown }).attempt);
    const headers = { 'x-swarmdeck': '1' };
    return Response.json(path === '/auth/sign-up' ? { recovery_codes: ['aaaa-bbbb'] } : { user_id: 'ann' }, {
      headers,
    });
  });
  const attempt = newAttempt();
  const credentials = { mode: 'sign-up', username: 'ann', password: 'harbour light 7', attempt } as const;
  await expect(enter(credentials)).resolves.toEqual({
    account: { user_id: 'ann' },
    codes: { recovery_codes: ['aaaa-bbbb'] },
  });
  expect(sent).toEqual([attempt]);
});

test('a missing session after sign-in explains that the browser did not accept the cookie', () => {
  expect(credentialErrors(problem('session.missing'), 'sign-in').form).toMatch(/did not accept a cookie/);
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
    'Chrome',
    'Android',
  ],
  ['', null, null],
])('the user agent "%s" is %s on %s', (userAgent, browser, system) => {
  expect(parseUserAgent(userAgent)).toEqual({ browser, system });
});
