/** Messages that a device receives, as packets. */
import { generate } from 'mqtt-packet';
import { flushed } from '../http/event-streams.ts';
import { Problem, type Report } from '../problem.ts';
import type { Service } from '../service/service.ts';
import { disconnect, type Connection, type Device } from './connection.ts';
import { bytesOf } from './payload.ts';
import { reasons } from './reasons.ts';

/** A message that is delivered. */
type Outgoing = Parameters<Parameters<Service['messages']['receive']>[0]['send']>[0][number];

export interface DeliveryParts {
  keys: Pick<Service['keys'], 'verify'>;
  messages: Pick<Service['messages'], 'receive' | 'newestPosition'>;
  report: Report;
}

/** The packets of a message, which all of its receivers share, by version. */
const packets = new WeakMap<Outgoing, Map<number, Uint8Array>>();

function packetOf(message: Outgoing, version: number): Uint8Array {
  const ofMessage = packets.get(message) ?? new Map<number, Uint8Array>();
  const known = ofMessage.get(version);
  if (known) return known;
  const packet = newPacketOf(message, version);
  packets.set(message, ofMessage.set(version, packet));
  return packet;
}

function newPacketOf({ row, id }: Outgoing, version: number, properties: Record<string, string> = {}): Uint8Array {
  return generate(
    {
      cmd: 'publish',
      topic: `messages/${row.swarm_id}/${row.sender_id}`,
      payload: bytesOf(row),
      qos: 0,
      dup: false,
      retain: false,
      ...(version === 5 && { properties: { userProperties: { id, ...properties } } }),
    },
    { protocolVersion: version },
  );
}

/** Sends what the device may receive, until the function that it returns is called. */
export async function receive(
  { keys, messages, report }: DeliveryParts,
  connection: Connection,
  { device, since }: { device: Device; since: string | undefined },
): Promise<() => void> {
  const { socket, reader } = connection;
  const version = reader.version();
  const after = since ?? (await messages.newestPosition());
  /** The next message says so. Version 3.1.1 cannot. */
  let missingAfter: string | undefined;
  let last = after;
  if (connection.hasEnded) return () => {};
  const { end, started } = messages.receive({
    userId: device.userId,
    keyId: device.keyId,
    resourceId: device.id,
    after,
    missing: (position) => (missingAfter ??= position),
    send(sent) {
      if (connection.hasEnded || socket.destroyed) return true;
      socket.cork();
      for (const message of sent) {
        const isTold = missingAfter !== undefined && version === 5;
        const packet = isTold
          ? newPacketOf(message, version, { 'missing-after': missingAfter! })
          : packetOf(message, version);
        // The client takes no such packet: it misses the message, and is told with the next one.
        if (packet.length > connection.packetAtMost) missingAfter ??= last;
        else {
          socket.write(packet);
          missingAfter = undefined;
        }
        last = message.id;
      }
      socket.uncork();
      return socket.writableLength === 0;
    },
    ready: () => flushed(socket),
    async recheckAccess() {
      if (!(await keys.verify(device.key))) throw new Problem('key.invalid');
    },
    failed: (error) => error instanceof Problem && disconnect(connection, reasons.notAuthorized),
  });
  started.catch(report);
  return end;
}
