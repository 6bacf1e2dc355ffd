/** Takes packet by packet from the bytes of a socket: a parsed packet takes thirty times its bytes in memory. */
import type { Packet } from 'mqtt-packet';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { faultOf } from './packet-faults.ts';
import { reasons, type Reason } from './reasons.ts';
import { mqttLimits } from './limits.ts';
import { createStrictParser } from './strict-parser.ts';

/** In bytes: a payload and its topic. A longer packet is refused before it has arrived. */
export const packetAtMost = messageLimits.payloadBytes + mqttLimits.besidePayload;
const nothing = Buffer.alloc(0);

export type PacketReader = ReturnType<typeof createPacketReader>;

export function createPacketReader() {
  let unread: Buffer = nothing;
  /** Why what follows cannot be read. */
  let fault: Reason | undefined;
  /** The last packet that was parsed. */
  let parsed: Packet | undefined;
  let version = 4;
  let hasConnected = false;
  // The parser reads the packets after CONNECT by the version of the CONNECT.
  const parser = createStrictParser();
  parser.on('packet', (packet) => {
    if (packet.cmd === 'connect' && !hasConnected) {
      hasConnected = true;
      parser.settings.protocolVersion = version = packet.protocolVersion ?? 4;
    }
    parsed = packet;
  });
  // `parse` returns undefined after an error.
  parser.on('error', () => {});

  function parse(bytes: Buffer): Packet | undefined {
    parsed = undefined;
    try {
      parser.parse(bytes);
    } catch {
      return undefined;
    }
    return parsed;
  }

  const nextLength = () => fault ?? (hasConnected || canBeConnect(unread) ? packetLength(unread) : reasons.malformed);

  return {
    /** Returns the version of the protocol: that of CONNECT, once it has been read. */
    version: () => version,
    unreadBytes: () => unread.length,
    add(bytes: Buffer): void {
      unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes]);
    },
    /** From now on, `next` returns this reason, and nothing is parsed. */
    fail: (reason: Reason) => void (fault = reason),
    hasFailed: () => fault !== undefined,
    clear: () => void (unread = nothing),
    /** Whether `next` would return something. */
    hasNext(): boolean {
      const found = nextLength();
      return typeof found === 'object' ? unread.length >= found.length : found !== undefined;
    },
    /** Takes the next packet; undefined if it has not arrived completely. A reason: it cannot be read. */
    next(): Packet | Reason | undefined {
      const found = nextLength();
      if (typeof found !== 'object') return found;
      if (unread.length < found.length) return undefined;
      const bytes = unread.subarray(0, found.length);
      unread = unread.subarray(found.length);
      if (!hasConnected && hasUnknownLevel(bytes.subarray(found.head))) return reasons.badVersion;
      const packet = parse(bytes);
      return packet ? (faultOf(packet, version) ?? packet) : reasons.malformed;
    },
  };
}

/** The length of the first packet and of its head, in bytes; undefined if its head has not arrived, a reason if it cannot be read. */
function packetLength(bytes: Buffer): { head: number; length: number } | Reason | undefined {
  let rest = 0;
  for (let digit = 0; digit < 4; digit++) {
    const byte = bytes[1 + digit];
    if (byte === undefined) return undefined;
    rest += (byte & 127) << (7 * digit);
    if (byte < 128) return rest > packetAtMost ? reasons.tooLarge : { head: 2 + digit, length: 2 + digit + rest };
  }
  return reasons.malformed;
}

const nameLength = 8;
const names = ['\0\x04MQTT', '\0\x06MQIsdp'];

/** Whether this is the beginning of a CONNECT, or can become one. The rest of what cannot is not waited for. */
function canBeConnect(bytes: Buffer): boolean {
  if (bytes.length === 0) return true;
  if (bytes[0] !== 0x10) return false;
  const found = packetLength(bytes);
  if (typeof found !== 'object') return true;
  const name = bytes.toString('latin1', found.head, found.head + nameLength);
  return names.some((known) => known.startsWith(name.slice(0, known.length)));
}

/** Whether a CONNECT, without its head, has an unknown level of the protocol. Its first bit marks a bridge. */
const hasUnknownLevel = (connect: Buffer): boolean =>
  connect.toString('latin1', 2, 6) === 'MQTT' && connect.length > 6 && ![3, 4, 5].includes(connect[6]! & 0x7f);
