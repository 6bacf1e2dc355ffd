import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';

/** One seed for every property of a run: `npm run check` prints it, `SWARMDECK_SEED=… npm run check` repeats the run. */
const seed = Number(process.env.SWARMDECK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const long = process.env.SWARMDECK_LONG === '1';
fc.configureGlobal({ seed, numRuns: long ? 10_000 : 100 });

/**
 * The hash of a password takes 70 ms of processor time by design, and tests sign up hundreds of users: here it takes
 * 1 ms. The processes that tests start hash as in production.
 */
const cheap = Symbol.for('swarmdeck.cheap-scrypt');
if (!(cheap in crypto)) {
  const { scrypt } = crypto;
  const cheapScrypt = (...[password, salt, length, options, callback]: Required<Parameters<typeof scrypt>>) =>
    scrypt(password, salt, length, { ...options, N: 256 }, callback);
  Object.assign(crypto, { scrypt: cheapScrypt, [cheap]: true });
  syncBuiltinESMExports();
}
