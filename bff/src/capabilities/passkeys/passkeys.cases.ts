import { randomUUID } from 'node:crypto';
import { onlyKey, onlyOwner, type AuthRow, type Rights } from '../../tests/rights.fixture.ts';
import { createPasskeyStore } from './passkeys.store.ts';

export const rights: Rights<{ passkey: string }> = {
  async data({ name, db }) {
    const passkey = randomUUID();
    const { added } = createPasskeyStore({ db, now: () => new Date() });
    const publicKey = Buffer.from('a key');
    await db.write(added({ id: passkey, userName: name, name: 'k', publicKey, counter: 0, transports: [] }));
    return { passkey };
  },
  rows: {
    'GET /api/account/passkeys': {
      ofLimited: true,
      request: () => ({ path: '/account/passkeys' }),
      statuses: onlyKey(200),
      shows: { id: ({ passkey }) => passkey, to: ['owner'] },
    },
    'POST /api/account/passkeys/options': {
      ofLimited: true,
      request: () => ({ method: 'POST', path: '/account/passkeys/options' }),
      statuses: onlyKey(200),
      keepsData: true,
    },
    // Without an authenticator it is rejected for every actor.
    'POST /api/account/passkeys': {
      ofLimited: true,
      request: () => ({ method: 'POST', path: '/account/passkeys', body: { name: 'k', credential: {} } }),
      statuses: onlyKey(400),
    },
    'PUT /api/account/passkeys/:id': {
      request: ({ passkey }) => ({ method: 'PUT', path: `/account/passkeys/${passkey}`, body: { name: 'k' } }),
      statuses: onlyOwner(204),
      keepsData: true,
    },
    'DELETE /api/account/passkeys/:id': {
      request: ({ passkey }) => ({ method: 'DELETE', path: `/account/passkeys/${passkey}` }),
      statuses: onlyOwner(204),
    },
  },
};

export const authRights: Record<string, AuthRow> = {
  'POST /auth/sign-in/passkey/options': { nobody: '200' },
  'POST /auth/sign-in/passkey': { nobody: '400 body.invalid' },
};
