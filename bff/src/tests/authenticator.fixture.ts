/** An authenticator of the tests: it answers what a browser asks, with real signatures. */
import { createHash, createSign, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

type Algorithm = 'ES256' | 'EdDSA' | 'RS256';
interface Changes {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Whether the page is in a frame of another site. */
  crossOrigin?: boolean;
  /** Whether it has asked for a finger, a face or a PIN. */
  isVerified?: boolean;
  userHandle?: string;
}

const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');
const sha256 = (data: string) => createHash('sha256').update(data).digest();

/** CBOR of what a passkey needs. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map) {
    const parts = [...value].flatMap(([key, of]) => [cbor(key), cbor(of as Parameters<typeof cbor>[0])]);
    return Buffer.concat([head(5, value.size), ...parts]);
  }
  return Buffer.concat([head(2, value.length), value]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length);
  return length < 256 ? Buffer.of((major << 5) | 24, length) : Buffer.of((major << 5) | 25, length >> 8, length & 0xff);
}

function newKey(algorithm: Algorithm): { privateKey: KeyObject; cose: Buffer } {
  const part = (text = '') => Buffer.from(text, 'base64url');
  if (algorithm === 'RS256') {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { n, e } = publicKey.export({ format: 'jwk' });
    return {
      privateKey,
      cose: cbor(
        new Map<number, unknown>([
          [1, 3],
          [3, -257],
          [-1, part(n)],
          [-2, part(e)],
        ]),
      ),
    };
  }
  if (algorithm === 'EdDSA') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x } = publicKey.export({ format: 'jwk' });
    return {
      privateKey,
      cose: cbor(
        new Map<number, unknown>([
          [1, 1],
          [3, -8],
          [-1, 6],
          [-2, part(x)],
        ]),
      ),
    };
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const entries: [number, unknown][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, part(x)],
    [-3, part(y)],
  ];
  return { privateKey, cose: cbor(new Map(entries)) };
}

/** What the server asks of an authenticator, for a new passkey and for the use of one. */
export type AskedToCreate = Parameters<Authenticator['create']>[0];
export type AskedToUse = Parameters<Authenticator['get']>[0];

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** `counts`: whether it counts its answers, as a security key does and a phone does not. */
export function createAuthenticator({
  origin,
  algorithm = 'ES256',
  counts = false,
}: {
  origin: string;
  algorithm?: Algorithm;
  counts?: boolean;
}) {
  const id = randomBytes(32);
  const { privateKey, cose } = newKey(algorithm);
  let userHandle = '';
  let counter = 0;

  const clientData = (type: 'webauthn.create' | 'webauthn.get', challenge: string, changes: Changes) =>
    JSON.stringify({
      type,
      challenge: changes.challenge ?? challenge,
      origin: changes.origin ?? origin,
      crossOrigin: changes.crossOrigin ?? false,
    });
  const dataOf = (rpId: string, { isVerified = true }: Changes, credential: Buffer = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counts ? (counter += 1) : 0);
    const flags = 1 | (isVerified ? 4 : 0) | (credential.length > 0 ? 0x40 : 0);
    return Buffer.concat([sha256(rpId), Buffer.of(flags), count, credential]);
  };
  const credentialOf = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: { credProps: { rk: true } },
    response,
  });

  return {
    id: base64url(id),
    create(asked: { challenge: string; rp: { id?: string }; user: { id: string } }, changes: Changes = {}) {
      userHandle = asked.user.id;
      const length = Buffer.of(id.length >> 8, id.length & 0xff);
      const authData = dataOf(
        changes.rpId ?? asked.rp.id!,
        changes,
        Buffer.concat([Buffer.alloc(16), length, id, cose]),
      );
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return credentialOf({
        clientDataJSON: base64url(clientData('webauthn.create', asked.challenge, changes)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal', 'hybrid'],
        publicKeyAlgorithm: -7,
      });
    },
    get(asked: { challenge: string; rpId?: string }, changes: Changes = {}) {
      const authenticatorData = dataOf(changes.rpId ?? asked.rpId!, changes);
      const data = clientData('webauthn.get', asked.challenge, changes);
      const signed = Buffer.concat([authenticatorData, sha256(data)]);
      const signature =
        algorithm === 'EdDSA' ? sign(null, signed, privateKey) : createSign('sha256').update(signed).sign(privateKey);
      return credentialOf({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: changes.userHandle ?? userHandle,
      });
    },
  };
}
