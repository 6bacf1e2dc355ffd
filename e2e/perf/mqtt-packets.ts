/** Packets of MQTT 3.1.1, made once: a library would take the processor from the server. */

/** A text with its length. */
export const textOf = (text: string) =>
  Buffer.concat([Buffer.from([text.length >> 8, text.length & 255]), Buffer.from(text)]);

/** `first`: the kind of the packet with its flags. The body has less than 16 KiB. */
export function packet(first: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [(body.length & 127) | 128, body.length >> 7];
  return Buffer.concat([Buffer.from([first, ...length]), body]);
}

const version311 = Buffer.from([4, 0xc2, 0, 0]);

/** Without an identifier: a device has several connections, which would take each other over. */
export const connectPacket = ({ id, key }: { id: string; key: string }): Buffer =>
  packet(0x10, textOf('MQTT'), version311, textOf(''), textOf(id), textOf(key));
