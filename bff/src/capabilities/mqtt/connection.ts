/** A connection: its state, what is written to it, and how it ends or waits. */
import type { Socket } from 'node:net';
import { generate, type IPubackPacket, type IPubrecPacket, type Packet } from 'mqtt-packet';
import type { Counts } from '../../core/limits/bounded-map.ts';
import { mqttLimits } from './limits.ts';
import { createPacketReader, type PacketReader } from './packet-reader.ts';
import { reasons, type Reason } from './reasons.ts';

/** A pause is at most 32 times as long as the refusal says. */
const mostDoubled = 5;

/** A device that has connected. */
export interface Device {
  id: string;
  userId: string;
  keyId: string;
  key: string;
}

/** A connection of a client: of a device, with an identifier that its program has chosen. */
export interface Client {
  /** All connections of the client have this name, on every process. */
  name: string;
  id: string;
  /** This process has read its own announcement. What is announced from then on is newer. */
  isAnnounced: boolean;
}

/** The message that a client wants to be sent when its connection is lost. One of both functions is called, once. */
export interface Will {
  due: () => void;
  drop: () => void;
}

export interface Connection {
  socket: Socket;
  /** The address of the other end of the socket, and that of the client, which a proxy may have named. */
  peer: string;
  address: string;
  /** The bytes of the header of a proxy that have arrived. Undefined: the bytes that follow are MQTT. */
  proxyHeader: Buffer | undefined;
  device: Device | undefined;
  startedAt: number;
  /** When bytes came last, or the socket was read again. After `keepAlive` ms without any, the client is gone. */
  heardAt: number;
  keepAlive: number;
  /** Undefined: no other connection takes it over. */
  client: Client | undefined;
  will: Will | undefined;
  /** In bytes: what the client takes in one packet. */
  packetAtMost: number;
  /** The identifiers of publications of quality 2 that the client may repeat. A repeated one is acknowledged, and not sent again. */
  unreleased: Set<number>;
  reader: PacketReader;
  inFlight: number;
  isPumping: boolean;
  /** The client was too fast: nothing is read or handled until this resolves. */
  pause: Promise<void> | undefined;
  endPause: () => void;
  /** Pauses since a publication was last accepted. */
  pauses: number;
  hasEnded: boolean;
  endedAt: number;
  /** Acknowledgements are sent in the order of the publications. */
  lastAck: Promise<void>;
  /** It has sent a packet, or has ended: it is not one of the silent connections any more. */
  leaveSilent: () => void;
  /** Gives its slot among the streams of its device back. */
  release: () => void;
  endReceiving: (() => void) | undefined;
}

export function newConnection(at: Pick<Connection, 'socket' | 'peer' | 'address' | 'leaveSilent'>): Connection {
  const now = performance.now();
  return {
    ...at,
    proxyHeader: Buffer.alloc(0),
    device: undefined,
    startedAt: now,
    heardAt: now,
    keepAlive: Infinity,
    client: undefined,
    will: undefined,
    packetAtMost: Infinity,
    unreleased: new Set(),
    reader: createPacketReader(),
    inFlight: 0,
    isPumping: false,
    pause: undefined,
    endPause() {},
    pauses: 0,
    hasEnded: false,
    endedAt: 0,
    lastAck: Promise.resolve(),
    release() {},
    endReceiving: undefined,
  };
}

/** Version 3.1.1, which has no reason codes. */
export const isOld = ({ reader }: Connection): boolean => reader.version() !== 5;

/** A client gets no packet that is larger than it takes: a reason in words is left out. Any other packet, as a CONNACK, ends the connection. */
export function send(connection: Connection, packet: Packet): void {
  const { socket, reader, packetAtMost, hasEnded } = connection;
  if (hasEnded || socket.destroyed) return;
  const bytes = generate(packet, { protocolVersion: reader.version() });
  if (bytes.length <= packetAtMost) socket.write(bytes);
  else if (packet.cmd === 'puback' || packet.cmd === 'pubrec') socket.write(withoutReason(packet));
  else end(connection);
}

const withoutReason = ({ cmd, messageId, reasonCode }: IPubackPacket | IPubrecPacket): Uint8Array =>
  generate({ cmd, messageId: messageId!, reasonCode: reasonCode! }, { protocolVersion: 5 });

/** The end of the connection is no loss from now on. */
export function dropWill(connection: Connection): void {
  connection.will?.drop();
  connection.will = undefined;
}

/** Ends the connection after what was written is sent. It is counted until its socket is closed. */
export function end(connection: Connection): void {
  if (connection.hasEnded) return;
  connection.hasEnded = true;
  connection.endedAt = performance.now();
  connection.reader.clear();
  connection.endPause();
  connection.endReceiving?.();
  connection.leaveSilent();
  connection.will?.due();
  connection.will = undefined;
  connection.socket.destroySoon();
}

/** The key or the device has ended, or the server stops. */
const endsWithoutWill: readonly Reason[] = [reasons.notAuthorized, reasons.shuttingDown];

/** Tells the client why, which MQTT 3.1.1 has no packet for, and ends the connection. */
export function disconnect(connection: Connection, reasonCode: Reason): void {
  if (endsWithoutWill.includes(reasonCode)) dropWill(connection);
  if (!isOld(connection) && connection.device) send(connection, { cmd: 'disconnect', reasonCode });
  if (connection.socket.writableNeedDrain) connection.socket.destroy();
  end(connection);
}

/**
 * After a refusal because of a rate, the connection is read on when the time has passed that the refusal names. What its
 * client sends meanwhile waits in the socket: it would be refused too, and a refusal costs the server far more than the client.
 * The time doubles if nothing was accepted since the last pause: thousands of connections of a user may share one rate.
 * `paused`: what was read of connections that are paused, by user, in bytes. `resume` is called at the end.
 */
export function slowDown(
  connection: Connection,
  { answer, paused, resume }: { answer: Response; paused: Counts; resume: () => void },
): void {
  const { device, socket, reader } = connection;
  if (answer.status !== 429 || !device || connection.pause || connection.hasEnded) return;
  socket.pause();
  const bytes = reader.unreadBytes();
  if (paused.of(device.userId) + bytes > mqttLimits.pausedBytes) return disconnect(connection, reasons.tooFast);
  paused.change(device.userId, bytes);
  const { promise, resolve } = Promise.withResolvers<void>();
  const seconds = Number(answer.headers.get('retry-after') ?? 1) * 2 ** Math.min(connection.pauses, mostDoubled);
  connection.pauses += 1;
  const timer = setTimeout(resolve, seconds * 1000).unref();
  connection.endPause = resolve;
  connection.pause = promise.then(() => {
    clearTimeout(timer);
    paused.change(device.userId, -bytes);
    connection.pause = undefined;
    connection.heardAt = performance.now();
    resume();
  });
}
