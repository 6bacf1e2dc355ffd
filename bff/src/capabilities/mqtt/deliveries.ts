/** Delivers messages to a device, as packets. */
import { generate } from 'mqtt-packet';
import { flushed } from '../../core/http/event-streams.ts';
import { Problem, type Report } from '../../core/problem.ts';
import type { Service } from '../../service/service.ts';
import { disconnect, type Connection, type Device } from './connection.ts';
import { deliveredPayload } from './payload.ts';
import { packetPropertiesOf } from './properties.ts';
import { reasons } from './reasons.ts';

/** A message that is delivered. */
type Outgoing = Parameters<Parameters<Service['messages']['receive']>[0]['send']>[0][number];

export interface DeliveryDeps {
  keys: Pick<Service['keys'], 'verify'>;
  messages: Pick<Service['messages'], 'receive' | 'newestCursor' | 'secondsLeft'>;
  report: Report;
}

interface SharedPacket {
  bytes: Uint8Array;
  secondsLeft: number | undefined;
}

/** The packets of a message, which all of its receivers share, by version; with an expiry, those of the same second. */
const packets = new WeakMap<Outgoing, Map<number, SharedPacket>>();

function packetOf(message: Outgoing, version: number, secondsLeft: number | undefined): Uint8Array {
  const ofMessage = packets.get(message) ?? new Map<number, SharedPacket>();
  const known = ofMessage.get(version);
  if (known && known.secondsLeft === secondsLeft) return known.bytes;
  const bytes = newPacketOf(message, { version, secondsLeft });
  packets.set(message, ofMessage.set(version, { bytes, secondsLeft }));
  return bytes;
}

function newPacketOf(
  { row, id, properties }: Outgoing,
  { version, secondsLeft, missingAfter }: { version: number; secondsLeft: number | undefined; missingAfter?: string },
): Uint8Array {
  const payload = deliveredPayload(row);
  const own = { id, ...(missingAfter !== undefined && { 'missing-after': missingAfter }) };
  return generate(
    {
      cmd: 'publish',
      topic: `messages/${row.swarm_id}/${row.sender_id}`,
      payload,
      qos: 0,
      dup: false,
      retain: false,
      ...(version === 5 && { properties: packetPropertiesOf(payload, { properties, own, secondsLeft }) }),
    },
    { protocolVersion: version },
  );
}

/** Sends what the device may receive, until `endReceiving` of the connection is called. */
export async function receive(
  { keys, messages, report }: DeliveryDeps,
  connection: Connection,
  { device, since }: { device: Device; since: string | undefined },
): Promise<void> {
  const { socket, reader } = connection;
  const version = reader.version();
  const after = since ?? (await messages.newestCursor());
  /** Messages after this cursor are missing. The next packet says so, except in version 3.1.1. */
  let missingAfter: string | undefined;
  /** The cursor of the last message. */
  let last = after;
  if (connection.hasEnded) return;
  /** Undefined if the message fits in no packet. */
  function nextPacket(message: Outgoing): Uint8Array | undefined {
    const reportsMissing = missingAfter !== undefined && version === 5;
    // It is 0 if the message has expired since the hub checked it: then it is sent nevertheless.
    const secondsLeft = version === 5 ? messages.secondsLeft(message) : undefined;
    try {
      return reportsMissing
        ? newPacketOf(message, { version, secondsLeft, missingAfter: missingAfter! })
        : packetOf(message, version, secondsLeft);
    } catch (error) {
      report(error);
      return undefined;
    }
  }
  const { stop } = messages.receive({
    userId: device.userId,
    keyId: device.keyId,
    resourceId: device.id,
    after,
    missing: (cursor) => (missingAfter ??= cursor),
    send(outgoing) {
      if (connection.hasEnded || socket.destroyed) return true;
      socket.cork();
      try {
        for (const message of outgoing) {
          const packet = nextPacket(message);
          // The client takes no packet of this size, or none can be made: it misses the message, as the next packet says.
          if (!packet || packet.length > connection.packetAtMost) missingAfter ??= last;
          else {
            socket.write(packet);
            missingAfter = undefined;
          }
          last = message.id;
        }
      } finally {
        socket.uncork();
      }
      return socket.writableLength === 0;
    },
    ready: () => flushed(socket),
    async recheckAccess() {
      if (!(await keys.verify(device.key))) throw new Problem('key.invalid');
    },
    ended({ code }) {
      // Without a right, some clients never connect again.
      disconnect(connection, code === 'server.failed' ? reasons.unspecified : reasons.notAuthorized);
    },
  });
  connection.endReceiving = stop;
}
