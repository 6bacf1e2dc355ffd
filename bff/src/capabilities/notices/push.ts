/**
 * Web Push: messages to browsers through the push service of each browser. Only the browser can read them (RFC 8291), and
 * the push service knows by a signature that they are from this server (VAPID, RFC 8292).
 */
import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
  type ECDH,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { serverActor } from '../../core/limits/field-rules.ts';
import type { Database } from '../../core/store/database.ts';
import { createSeal } from '../../core/store/seal.ts';
import type { Secrets } from '../../core/store/secret.ts';
import type { PushStore } from './push.store.ts';

export const curve = 'prime256v1';
/** In seconds: how long a push service keeps a message for a browser that is off, and how long a signature is valid. */
const keptFor = 86_400;
const signedFor = 43_200;

/** The keys of a browser, base64url: its public key, and a secret that it shares with the server. */
interface BrowserKeys {
  p256dh: string;
  auth: string;
}

/** What the server signs with, and the public key that browsers are given (base64url). */
interface ServerKeys {
  privateKey: KeyObject;
  publicKey: string;
}

/** `subject`: the address of the server, for the operators of push services. */
export function createPush(options: {
  db: Database;
  store: Pick<PushStore, 'readKeys' | 'replaceKeys'>;
  secrets: Secrets;
  subject: string;
  now: () => Date;
}) {
  const { db, store, secrets, subject, now } = options;
  const seal = createSeal(secrets, 'push');
  let keys: Promise<ServerKeys> | undefined;

  async function readKeys(): Promise<ServerKeys> {
    const sealed = await store.readKeys();
    const text = sealed && seal.unseal({ sealed, owner: serverActor });
    if (text !== undefined) return keysOf(text);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
    const made = JSON.stringify(privateKey.export({ format: 'jwk' }));
    // The secret of the stored ones may be lost.
    await store.replaceKeys({ old: sealed, sealed: seal.seal({ text: made, owner: serverActor }) });
    return readKeys();
  }

  /** The keys of this server, made at their first use. */
  function serverKeys() {
    keys ??= readKeys().catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  }

  return {
    publicKey: async () => (await serverKeys()).publicKey,
    /** The request that sends a message, at most 3,993 bytes, to a browser. A phone that sleeps is woken for an urgent one. */
    async requestOf({
      endpoint,
      message,
      isUrgent,
      ...to
    }: BrowserKeys & { endpoint: string; message: string; isUrgent: boolean }) {
      const { privateKey, publicKey } = await serverKeys();
      const claims = {
        aud: new URL(endpoint).origin,
        exp: Math.floor(now().getTime() / 1000) + signedFor,
        sub: subject,
      };
      const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const how = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign('sha256', Buffer.from(signed), how).toString('base64url');
      return {
        url: endpoint,
        headers: {
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(keptFor),
          urgency: isUrgent ? 'high' : 'normal',
          authorization: `vapid t=${signed}.${signature}, k=${publicKey}`,
        },
        body: encrypt({ message, ...to }),
      };
    },
    sealAllAgain: () => seal.sealAllAgain({ db, table: 'push_keys' }),
  };
}

function keysOf(text: string): ServerKeys {
  const key = JSON.parse(text) as JsonWebKey;
  const coordinates = [key.x!, key.y!].map((part) => Buffer.from(part, 'base64url'));
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return { privateKey, publicKey: Buffer.concat([Buffer.of(4), ...coordinates]).toString('base64url') };
}

/** The body of a request: one record of `aes128gcm` (RFC 8188). Without `salt` and `own`, with new ones. */
export function encrypt({
  message,
  p256dh,
  auth,
  salt = randomBytes(16),
  own = newKey(),
}: BrowserKeys & { message: string; salt?: Buffer; own?: ECDH }): Buffer {
  const browser = Buffer.from(p256dh, 'base64url');
  const shared = own.computeSecret(browser);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, own.getPublicKey()]);
  const secret = hkdfSync('sha256', shared, Buffer.from(auth, 'base64url'), info, 32);
  const derive = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${name}\0`, bytes));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(4096);
  head[4] = own.getPublicKey().length;
  // The last record ends with a 2.
  const record = [cipher.update(`${message}\u0002`, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, head, own.getPublicKey(), ...record]);
}

function newKey(): ECDH {
  const key = createECDH(curve);
  key.generateKeys();
  return key;
}
