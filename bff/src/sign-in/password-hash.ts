import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { Problem } from '../http/problem.ts';

/**
 * Node runs four slow jobs at a time for everybody: files, names, signatures, and scrypt, at 32 MB and 50 ms each.
 * One of them stays free of passwords, or a sign-up that holds the writer waits with its cookie's signature
 * behind a crowd of other sign-ups: writes then took 2.6 s beside 40 sign-ups, and now take as long as a sign-up.
 */
const atOnce = Math.min(3, availableParallelism());
const waitingAtMost = 500;

interface PasswordHash {
  hash(password: string): Promise<string>;
  verify(asked: { hash: string; password: string }): Promise<boolean>;
}

/** Better Auth's scrypt, a few at a time. @throws Problem `service.away` where the line is too long to wait in */
export function createPasswordHash(): PasswordHash {
  const line = createLine({ atOnce, waitingAtMost });
  return {
    hash: (password) => line(() => hashPassword(password)),
    verify: (asked) => line(() => verifyPassword(asked)),
  };
}

/** Runs up to `atOnce` jobs; others wait their turn, in the order in which they came. */
export function createLine({ atOnce, waitingAtMost }: { atOnce: number; waitingAtMost: number }) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(job: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingAtMost) throw new Problem('service.away', { headers: { 'retry-after': '5' } });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await job();
    } finally {
      // whoever waits takes over this place
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
