import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * The hash of a password takes 70 ms of processor time by design, and tests sign up hundreds of users: with this module
 * it takes 1 ms. Unit tests and the servers of the journeys load it. The processes that unit tests start hash as in
 * production.
 */
const cheap = Symbol.for('swarmdeck.cheap-scrypt');
if (!(cheap in crypto)) {
  const { scrypt } = crypto;
  const cheapScrypt = (...[password, salt, length, options, callback]: Required<Parameters<typeof scrypt>>) =>
    scrypt(password, salt, length, { ...options, N: 256 }, callback);
  Object.assign(crypto, { scrypt: cheapScrypt, [cheap]: true });
  syncBuiltinESMExports();
}
