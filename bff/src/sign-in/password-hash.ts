import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { Problem } from '../http/problem.ts';
import { createFairQueue } from '../limits/fair-queue.ts';

/**
 * Node's thread pool runs four jobs at a time: files, DNS, signatures, and scrypt, which takes 32 MB and 50 ms. One
 * thread stays free of passwords, so that other work does not wait behind many sign-ups.
 */
const atOnce = Math.min(3, availableParallelism());
const mostWaiting = 500;

export type PasswordHash = ReturnType<typeof createPasswordHash>;

/**
 * Better Auth's scrypt with limited concurrency.
 * @throws Problem `service.away` if the queue is full
 */
export function createPasswordHash() {
  const full = () => new Problem('service.away', { headers: { 'retry-after': '5' } });
  const queue = createFairQueue({ atOnce, mostWaiting, full });
  // Whose password it is, is not known before it is verified.
  const inTurn = <T>(act: () => Promise<T>) => queue.run({ user: '' }, act);
  return {
    hash: (password: string) => inTurn(() => hashPassword(password)),
    measure: queue.measure,
    verify: (options: { hash: string; password: string }) => inTurn(() => verifyPassword(options)),
  };
}
