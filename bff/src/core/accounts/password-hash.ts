import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Problem } from '../problem.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { queueTable } from '../limits/limit-tables.ts';

/**
 * Node's thread pool runs four jobs at a time: files, DNS, signatures, and scrypt, which takes 32 MB and 50 ms. One
 * thread stays free of passwords, so that other work does not wait behind many sign-ups.
 */
const atOnce = Math.min(3, availableParallelism());

const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const keyLength = 64;

/** `salt`: the characters of the stored salt, not the bytes that they encode. */
function deriveKey({ password, salt }: { password: string; salt: string }): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(password.normalize('NFKC'), salt, keyLength, cost, (error, key) => (error ? reject(error) : resolve(key)));
  return promise;
}

/** `<salt>:<key>`, both in hexadecimal digits. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await deriveKey({ password, salt })).toString('hex')}`;
}

async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':');
  const stored = Buffer.from(key, 'hex');
  const derived = await deriveKey({ password, salt });
  return stored.length === derived.length && timingSafeEqual(stored, derived);
}

export type PasswordHash = ReturnType<typeof createPasswordHash>;

/**
 * Hashes passwords with scrypt, with limited concurrency. `requestedBy`: the address or the user, who take turns. Who sends many
 * passwords keeps others waiting for one of them at a time.
 * @throws Problem `service.away` if too many are waiting
 */
export function createPasswordHash() {
  const tooMany = () => new Problem('service.away', { headers: { 'retry-after': '5' } });
  const queue = createFairQueue({ atOnce, mostWaiting: queueTable.passwords.most, refusal: tooMany });
  let waiting = 0;

  async function inTurn<T>(requestedBy: string, act: () => Promise<T>): Promise<T> {
    if (waiting >= queueTable.all_passwords.most) throw tooMany();
    waiting += 1;
    try {
      return await queue.run({ user: requestedBy }, act);
    } finally {
      waiting -= 1;
    }
  }

  return {
    hash: ({ password, requestedBy }: { password: string; requestedBy: string }) =>
      inTurn(requestedBy, () => hashPassword(password)),
    measure: queue.measure,
    verify: ({ requestedBy, ...stored }: { hash: string; password: string; requestedBy: string }) =>
      inTurn(requestedBy, () => verifyPassword(stored)),
  };
}
