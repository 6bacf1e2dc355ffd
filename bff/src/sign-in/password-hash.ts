import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { Problem } from '../http/problem.ts';

/**
 * Node's thread pool runs four jobs at a time: files, DNS, signatures, and scrypt, which takes 32 MB and 50 ms. One
 * thread must stay free of passwords: otherwise a sign-up that holds the writer waits for the signature of its cookie
 * behind many other sign-ups. Writes then took 2.6 s with 40 concurrent sign-ups; now they take as long as one sign-up.
 */
const atOnce = Math.min(3, availableParallelism());
const waitingAtMost = 500;

interface PasswordHash {
  hash(password: string): Promise<string>;
  verify(options: { hash: string; password: string }): Promise<boolean>;
}

/**
 * Better Auth's scrypt with limited concurrency.
 * @throws Problem `service.away` if the queue is full
 */
export function createPasswordHash(): PasswordHash {
  const line = createJobQueue({ atOnce, waitingAtMost });
  return {
    hash: (password) => line(() => hashPassword(password)),
    verify: (options) => line(() => verifyPassword(options)),
  };
}

/** Runs up to `atOnce` jobs; others are queued in order. */
export function createJobQueue({ atOnce, waitingAtMost }: { atOnce: number; waitingAtMost: number }) {
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
      // The next job takes over this slot.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
