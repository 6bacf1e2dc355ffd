/** What each packet of a client does. */
import type { IConnectPacket, IPublishPacket, ISubscribePacket, IUnsubscribePacket, Packet } from 'mqtt-packet';
import type { EventStreams } from '../http/event-streams.ts';
import type { Counts } from '../limits/bounded-map.ts';
import { idFormat, messageLimits } from '../limits/field-rules.ts';
import type { Rate } from '../limits/rate.ts';
import { Problem } from '../problem.ts';
import { disconnect, end, isOld, send, slowDown, type Connection, type Device } from './connection.ts';
import { receive, type DeliveryParts } from './deliveries.ts';
import { packetAtMost } from './packet-reader.ts';
import { oldCodeOf, oldCodes, reasons, reasonsOfStatus, type Reason } from './reasons.ts';
import { ask, requestOf, type Asked, type ServiceDoor } from './requests.ts';

/** Publications of a connection that are being written. Then the socket is not read. */
export const inFlightAtMost = 16;
const receivedFilter = 'messages/#';
/** Of a message that was sent, but to some of the device's swarms only. */
const notToAll = 'not sent to all swarms: some take no more messages now';

export interface PacketParts extends DeliveryParts {
  service: ServiceDoor;
  streams: Pick<EventStreams, 'reserve'>;
  /** Notes that a device is there. */
  heard: (id: string) => void;
  /** Of each device: the packets that make no request. The service limits the others. */
  packetsOfDevice: Rate;
  /** What was read of connections that are paused, by user, in bytes. */
  paused: Counts;
  /** Handles what waits, when a pause has ended. */
  resume: (connection: Connection) => void;
}

export async function handle(parts: PacketParts, connection: Connection, packet: Packet | Reason): Promise<void> {
  if (typeof packet === 'number') return disconnect(connection, packet);
  const { device } = connection;
  if (packet.cmd === 'connect')
    return device ? disconnect(connection, reasons.protocolError) : connect(parts, connection, packet);
  if (!device) return disconnect(connection, reasons.protocolError);
  parts.heard(device.id);
  if (packet.cmd === 'publish') return publish(parts, connection, { device, packet });
  if (parts.packetsOfDevice.take(device.id) > 0) return disconnect(connection, reasons.tooFast);
  switch (packet.cmd) {
    case 'pingreq':
      return send(connection, { cmd: 'pingresp' });
    case 'subscribe':
      return subscribe(parts, connection, { device, packet });
    case 'unsubscribe':
      return unsubscribe(connection, packet);
    // A message that is not delivered yet is read again with `since`.
    case 'disconnect':
      return end(connection);
    default:
      return disconnect(connection, reasons.protocolError);
  }
}

async function connect(parts: PacketParts, connection: Connection, packet: IConnectPacket): Promise<void> {
  const { service, keys } = parts;
  if (packet.protocolVersion !== 4 && packet.protocolVersion !== 5)
    return refuse(connection, reasons.protocolError, oldCodes.version);
  // In MQTT 5, the answer says that the session ends with the connection.
  if (isOld(connection) && packet.clean === false)
    return refuse(connection, reasons.protocolError, oldCodes.identifier);
  const { username: id = '', password, keepalive = 0 } = packet;
  const key = password?.toString() ?? '';
  // Others cannot be in a header.
  if (!idFormat.test(id) || !/^[\x21-\x7e]*$/.test(key)) return refuse(connection, reasons.badCredentials);
  const { status } = await ask(service, connection, { device: { id, key }, path: '' });
  if (status === 401) return refuse(connection, reasons.badCredentials);
  if (status !== 200) return refuse(connection, reasonsOfStatus[status] ?? reasons.unavailable);
  const caller = await keys.verify(key);
  if (caller?.resourceId !== id) return refuse(connection, reasons.notAuthorized);
  if (connection.hasEnded) return;
  const device = { id, key, userId: caller.userId, keyId: caller.keyId };
  if (!takePlace(parts, connection, device)) return refuse(connection, reasons.quotaExceeded);
  connection.device = device;
  if (keepalive > 0) connection.keepAlive = keepalive * 1500;
  accept(connection);
}

/** Counts the connection as a stream of its device and of its user. Returns false if there are too many. */
function takePlace({ streams }: PacketParts, connection: Connection, { id, userId }: Device): boolean {
  try {
    connection.release = streams.reserve({
      user: `device ${id}`,
      most: messageLimits.streamsOfDevice,
      also: {
        user: `devices of ${userId}`,
        most: messageLimits.streamsOfUser,
        also: { user: `mqtt of ${userId}`, most: messageLimits.connectionsOfUser },
      },
    });
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return false;
  }
}

function refuse(connection: Connection, reasonCode: Reason, returnCode = oldCodeOf(reasonCode)): void {
  const code = isOld(connection) ? { returnCode } : { reasonCode };
  send(connection, { cmd: 'connack', sessionPresent: false, ...code });
  end(connection);
}

function accept(connection: Connection): void {
  if (isOld(connection)) return send(connection, { cmd: 'connack', sessionPresent: false, returnCode: 0 });
  const properties = {
    sessionExpiryInterval: 0,
    receiveMaximum: inFlightAtMost,
    maximumQoS: 1,
    retainAvailable: false,
    maximumPacketSize: packetAtMost,
    sharedSubscriptionAvailable: false,
    subscriptionIdentifiersAvailable: false,
  };
  send(connection, { cmd: 'connack', sessionPresent: false, reasonCode: reasons.success, properties });
}

interface Publication {
  device: Device;
  packet: IPublishPacket;
}

/** A publication becomes a request to the service, whose answer is acknowledged after those of the publications before it. */
async function publish(parts: PacketParts, connection: Connection, { device, packet }: Publication): Promise<void> {
  const { qos, topic, payload, retain, properties } = packet;
  if (qos === 2) return disconnect(connection, reasons.noQos2);
  if (retain && !isOld(connection)) return disconnect(connection, reasons.noRetain);
  if (properties?.topicAlias !== undefined) return disconnect(connection, reasons.badAlias);
  const request = requestOf(topic, Buffer.from(payload));
  if (!request && parts.packetsOfDevice.take(device.id) > 0) return disconnect(connection, reasons.tooFast);
  const asked = request && ask(parts.service, connection, { ...request, device });
  // Before the next packet is handled.
  if (asked instanceof Response) slow(parts, connection, asked);
  const before = connection.lastAck;
  connection.lastAck = (async () => {
    const answer = request && (await answerOf(parts, connection, { device, packet, request, asked: asked! }));
    await before;
    acknowledge(connection, packet, request ? (answer ?? 'none') : 'no topic');
  })();
  await connection.lastAck;
}

const slow = (parts: PacketParts, connection: Connection, answer: Response) =>
  slowDown(connection, { answer, paused: parts.paused, resume: () => parts.resume(connection) });

/** The answer of the service; undefined if it failed. */
async function answerOf(
  parts: PacketParts,
  connection: Connection,
  publication: Publication & { request: Asked; asked: Response | Promise<Response> },
): Promise<Response | undefined> {
  const { device, packet, request, asked } = publication;
  let answer = (await Promise.resolve(asked).catch(parts.report)) ?? undefined;
  if (answer) slow(parts, connection, answer);
  // Version 3.1.1 has no refusal: what may succeed after the pause is asked again.
  while (isOld(connection) && packet.qos === 1 && answer?.status === 429 && !connection.hasEnded) {
    await connection.pause;
    const again = Promise.resolve(ask(parts.service, connection, { ...request, device }));
    answer = (await again.catch(parts.report)) ?? undefined;
    if (answer) slow(parts, connection, answer);
  }
  return answer;
}

function acknowledge(connection: Connection, packet: IPublishPacket, answer: Response | 'none' | 'no topic'): void {
  const { qos, messageId } = packet;
  const status = typeof answer === 'object' ? answer.status : answer === 'none' ? 503 : 400;
  if (status < 300) connection.pauses = 0;
  if (status === 401) return disconnect(connection, reasons.notAuthorized);
  if (qos === 0) return;
  // A client of 3.1.1 would send again for ever what was not acknowledged: only what may succeed later.
  if (isOld(connection)) {
    if (status >= 500) return end(connection);
    return send(connection, { cmd: 'puback', messageId: messageId! });
  }
  const refusal = answer === 'no topic' ? reasons.badTopic : (reasonsOfStatus[status] ?? reasons.unspecified);
  const isPartial = status === 201 && typeof answer === 'object' && answer.headers.has('retry-after');
  send(connection, {
    cmd: 'puback',
    messageId: messageId!,
    reasonCode: status < 300 ? reasons.success : refusal,
    ...(isPartial && { properties: { reasonString: notToAll } }),
  });
}

async function subscribe(
  parts: PacketParts,
  connection: Connection,
  { device, packet }: { device: Device; packet: ISubscribePacket },
): Promise<void> {
  const topics = packet.subscriptions.map(({ topic }) => topic);
  const since = packet.properties?.userProperties?.['since'];
  const refused = isOld(connection) ? reasons.unspecified : reasons.badFilter;
  // Quality 0: the connection is reliable, and nothing is stored for a session.
  const granted = topics.map((topic) => (topic === receivedFilter ? 0 : refused));
  if (topics.includes(receivedFilter) && (!connection.endReceiving || since !== undefined)) {
    endReceiving(connection);
    connection.endReceiving = await receive(parts, connection, { device, since: [since].flat()[0] });
  }
  send(connection, { cmd: 'suback', messageId: packet.messageId!, granted });
}

function unsubscribe(connection: Connection, { unsubscriptions, messageId }: IUnsubscribePacket): void {
  // A bridge of mosquitto also unsubscribes from what it sends.
  const isMeant = unsubscriptions.includes(receivedFilter) && connection.endReceiving !== undefined;
  const granted = unsubscriptions.map((topic) =>
    topic === receivedFilter && isMeant ? reasons.success : reasons.noSubscription,
  );
  if (isMeant) endReceiving(connection);
  send(connection, { cmd: 'unsuback', messageId: messageId!, granted });
}

function endReceiving(connection: Connection): void {
  connection.endReceiving?.();
  connection.endReceiving = undefined;
}
