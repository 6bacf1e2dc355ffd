import { expect, test } from 'vitest';
import { createBeginSession } from './begin-session.ts';
import type { Session } from './sessions.store.ts';

const before: Session = {
  userName: 'ann',
  sessionId: 's-0',
  way: 'password',
  isLimited: false,
  confirmedAt: 0,
  expiresAt: new Date(0),
};

function beginning(faults: Partial<Record<'check' | 'end' | 'tidy' | 'onSignedIn', Error>>) {
  const reported: unknown[] = [];
  const steps: string[] = [];
  const step = async (name: keyof typeof faults) => {
    steps.push(name);
    if (faults[name]) throw faults[name];
  };
  const beginSession = createBeginSession({
    sessions: {
      begin: async () => 'session=1',
      check: () => step('check').then(() => before),
      end: () => step('end').then(() => true),
      tidy: () => step('tidy'),
      isSignUpRepeated: async () => false,
    },
    browsers: { knownTo: () => undefined, cookieOf: () => 'browser=1' },
    onSignedIn: () => step('onSignedIn'),
    report: (error) => void reported.push(error),
  });
  return { beginSession, reported, steps };
}
const from = { request: new Request('http://localhost/'), userAgent: '', requestId: 'r-1', address: '192.0.2.1' };

test.each(['check', 'end', 'tidy', 'onSignedIn'] as const)(
  'a user whose session has begun gets its cookies, also if `%s` fails after that',
  async (name) => {
    const fault = new Error('disk full');
    const { beginSession, reported, steps } = beginning({ [name]: fault });
    const after = [{ sql: 'DELETE FROM steps' }];
    expect(await beginSession({ userName: 'ann', way: 'password', after }, from)).toEqual(['session=1', 'browser=1']);
    expect(reported).toEqual([fault]);
    expect(steps.at(-1)).toBe(name);
  },
);
