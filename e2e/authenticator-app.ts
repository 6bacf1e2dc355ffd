import { createHmac } from 'node:crypto';

const bits = (letter: string) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');

/** The code that an authenticator app shows (RFC 6238), or has shown `steps` of 30 s ago. `secret`: in Base32. */
export function codeOfApp(secret: string, { steps = 0 } = {}): string {
  const text = [...secret.replaceAll(' ', '')].map(bits).join('');
  const key = Buffer.from((text.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) - steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const code = (mac.readUInt32BE(mac.at(-1)! & 15) & 0x7f_ff_ff_ff) % 1_000_000;
  return String(code).padStart(6, '0');
}
