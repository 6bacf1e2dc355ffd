/** What each packet of a client does. */
import type {
  IConnectPacket,
  IPublishPacket,
  IPubrelPacket,
  ISubscribePacket,
  IUnsubscribePacket,
  Packet,
} from 'mqtt-packet';
import type { EventStreams } from '../http/event-streams.ts';
import type { Counts } from '../limits/bounded-map.ts';
import type { DeviceConnections } from '../limits/device-connections.ts';
import { idFormat, messageLimits } from '../limits/field-rules.ts';
import { mqttLimits } from '../limits/part-limits.ts';
import type { Rate } from '../limits/rate.ts';
import { Problem } from '../problem.ts';
import { clientName, type Clients } from './clients.ts';
import { disconnect, dropWill, end, isOld, send, slowDown, type Connection, type Device } from './connection.ts';
import { receive, type DeliveryDeps } from './deliveries.ts';
import { packetAtMost } from './packet-reader.ts';
import { isTooLarge } from './payload.ts';
import { oldCodeOf, reasons, reasonsOfStatus, type Reason } from './reasons.ts';
import { connecting, reportRefusal, reportUnsent, reportUnsubscribed, type RefusalDeps } from './refusals.ts';
import { ask, payloadBytes, requestOf, type Asked, type ServiceDoor } from './requests.ts';
import type { Wills } from './wills.ts';

const receivedFilter = 'messages/#';
/** Reasons in words: of a payload; of a message that was sent, but to some of the device's swarms only. */
const tooLarge = `the payload is larger than ${messageLimits.payloadBytes / 1024} KiB`;
const notToAll = 'not sent to all swarms: some take no more messages now';

export interface PacketDeps extends DeliveryDeps, Omit<RefusalDeps, 'service' | 'report'> {
  service: ServiceDoor;
  streams: Pick<EventStreams, 'reserve'>;
  /** Notes that a device is there. */
  heard: (id: string) => void;
  /** Counts the packets of a device that make no request. The service limits the others. */
  packetsOfDevice: Rate;
  clients: Pick<Clients, 'take' | 'announce'>;
  wills: Pick<Wills, 'hold'>;
  /** The slots of each device, also those of its streams. */
  connections: DeviceConnections;
  /** What was read of connections that are paused, by user, in bytes. */
  paused: Counts;
  /** Handles what waits, when a pause has ended. */
  resume: (connection: Connection) => void;
}

export async function handle(deps: PacketDeps, connection: Connection, packet: Packet | Reason): Promise<void> {
  const { device } = connection;
  if (typeof packet === 'number') {
    // The CONNECT of a client of version 5 has a fault.
    const isAnswered = packet === reasons.badVersion || (!device && !isOld(connection));
    return isAnswered ? refuse(connection, packet) : disconnect(connection, packet);
  }
  if (packet.cmd === 'connect')
    return device ? disconnect(connection, reasons.protocolError) : connect(deps, connection, packet);
  if (!device) return disconnect(connection, reasons.protocolError);
  deps.heard(device.id);
  if (packet.cmd === 'publish') return publish(deps, connection, { device, packet });
  if (packet.cmd === 'pubrel') return release(deps, connection, { device, packet });
  if (deps.packetsOfDevice.take(device.id) > 0) return disconnect(connection, reasons.tooFast);
  switch (packet.cmd) {
    case 'pingreq':
      return send(connection, { cmd: 'pingresp' });
    case 'subscribe':
      return subscribe(deps, connection, { device, packet });
    case 'unsubscribe':
      return unsubscribe(connection, packet);
    // A message that is not delivered yet is read again with `since`.
    case 'disconnect':
      if (!packet.reasonCode) dropWill(connection);
      return end(connection);
    default:
      return disconnect(connection, reasons.protocolError);
  }
}

async function connect(deps: PacketDeps, connection: Connection, packet: IConnectPacket): Promise<void> {
  const { service, keys, clients, wills } = deps;
  if (packet.protocolVersion !== 4 && packet.protocolVersion !== 5) return refuse(connection, reasons.badVersion);
  const isUnnamed = packet.clientId === '' && isOld(connection) && packet.clean === false;
  if (isUnnamed || packet.clientId.length > mqttLimits.clientId) return refuse(connection, reasons.badClientId);
  const { username: id = '', password, keepalive = 0, properties, will } = packet;
  if (properties?.authenticationMethod !== undefined) return refuse(connection, reasons.badAuthentication);
  const faultOfWill = will && !isOld(connection) && faultOf(will);
  if (faultOfWill) return refuse(connection, faultOfWill);
  const key = password?.toString() ?? '';
  // A key with other characters cannot be sent in a header.
  if (!idFormat.test(id) || !/^[\x21-\x7e]*$/.test(key)) return refuse(connection, reasons.badCredentials);
  const { status } = await ask(service, connection, { device: { id, key }, path: '' });
  if (status === 401) return refuse(connection, reasons.badCredentials);
  if (status !== 200) return refuse(connection, reasonsOfStatus[status] ?? reasons.unavailable);
  const caller = await keys.verify(key);
  if (caller?.resourceId !== id) return refuse(connection, reasons.notAuthorized);
  if (connection.hasEnded) return;
  const device = { id, key, userId: caller.userId, keyId: caller.keyId };
  // A client of 3.1.1 without an identifier takes nothing over, and nobody takes it over.
  const assigned = packet.clientId === '' && !isOld(connection) ? service.newId() : undefined;
  const identifier = assigned ?? packet.clientId;
  const client = identifier === '' ? undefined : clientName(id, identifier);
  // Before the older connection of the client is ended: a refusal costs it nothing.
  const pendingWill = will && wills.hold(will, { connection, device, client });
  if (will && !pendingWill) return refuse(connection, reasons.quotaExceeded);
  const isFirst = client === undefined || clients.take(connection, client);
  if (!isFirst || !takeSlot(deps, connection, device)) {
    pendingWill?.drop();
    const detail = 'Too many connections of the device or of its user';
    reportRefusal(deps, device, { code: 'events.too_many', detail, operation: connecting });
    return refuse(connection, reasons.quotaExceeded);
  }
  deps.accepted(id, connecting);
  connection.device = device;
  connection.packetAtMost = properties?.maximumPacketSize ?? Infinity;
  if (keepalive > 0) connection.keepAlive = keepalive * 1500;
  accept(connection, assigned);
  if (connection.hasEnded) return pendingWill?.drop();
  connection.will = pendingWill;
  clients.announce(connection);
}

/** Version 3.1.1 has no such refusals. There, a will to another topic is not sent, and the flag is ignored. */
function faultOf(will: NonNullable<IConnectPacket['will']>): Reason | undefined {
  if (will.retain) return reasons.noRetain;
  return requestOf(will) ? undefined : reasons.badTopic;
}

/** Counts the connection as a stream of its device and of its user. Returns false if there are too many, or too many new ones. */
function takeSlot({ streams, connections }: PacketDeps, connection: Connection, { id, userId }: Device): boolean {
  try {
    const counted = {
      user: `devices of ${userId}`,
      most: messageLimits.streamsOfUser,
      also: { user: `mqtt of ${userId}`, most: messageLimits.connectionsOfUser },
    };
    connection.release = connections.take({
      id,
      reserve: () => streams.reserve(counted),
      stop: () => disconnect(connection, reasons.takenOver),
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

/** Nothing is stored for a session: the answer says so, also to a client of 3.1.1 that has asked for one. */
function accept(connection: Connection, assignedClientIdentifier: string | undefined): void {
  if (isOld(connection)) return send(connection, { cmd: 'connack', sessionPresent: false, returnCode: 0 });
  const properties = {
    sessionExpiryInterval: 0,
    receiveMaximum: mqttLimits.inFlight,
    retainAvailable: false,
    maximumPacketSize: packetAtMost,
    sharedSubscriptionAvailable: false,
    subscriptionIdentifiersAvailable: false,
    ...(assignedClientIdentifier !== undefined && { assignedClientIdentifier }),
  };
  send(connection, { cmd: 'connack', sessionPresent: false, reasonCode: reasons.success, properties });
}

interface Publication {
  device: Device;
  packet: IPublishPacket;
}

/** A publication becomes a request to the service, whose answer is acknowledged after those of the publications before it. */
async function publish(deps: PacketDeps, connection: Connection, { device, packet }: Publication): Promise<void> {
  const { qos, messageId, retain, properties } = packet;
  if (retain && !isOld(connection)) return disconnect(connection, reasons.noRetain);
  if (properties?.topicAlias !== undefined) return disconnect(connection, reasons.badAlias);
  const { unreleased } = connection;
  const isRepeated = qos === 2 && unreleased.has(messageId!);
  const request = isRepeated ? reasons.success : askedBy(packet);
  const isFree = typeof request !== 'number';
  if (!isFree && deps.packetsOfDevice.take(device.id) > 0) return disconnect(connection, reasons.tooFast);
  if (!isFree) reportUnsent(deps, device, { reason: request, topic: packet.topic });
  if (qos === 2 && unreleased.size >= mqttLimits.unreleased) return disconnect(connection, reasons.tooManyInFlight);
  if (qos === 2) unreleased.add(messageId!);
  const asked = isFree ? ask(deps.service, connection, { ...request, device }) : undefined;
  // Before the next packet is handled.
  if (asked instanceof Response) slow(deps, connection, asked);
  const before = connection.lastAck;
  connection.lastAck = (async () => {
    const answer = isFree && (await answerOf(deps, connection, { device, packet, request, asked: asked! }));
    await before;
    acknowledge(connection, packet, isFree ? answer || undefined : request);
  })();
  await connection.lastAck;
}

/** The request of a publication, or why there is none. */
function askedBy(packet: IPublishPacket): Asked | Reason {
  if (isTooLarge(payloadBytes(packet))) return reasons.badPayload;
  return requestOf(packet) ?? reasons.badTopic;
}

const slow = (deps: PacketDeps, connection: Connection, answer: Response) =>
  slowDown(connection, { answer, paused: deps.paused, resume: () => deps.resume(connection) });

/** The answer of the service; undefined if it failed. */
async function answerOf(
  deps: PacketDeps,
  connection: Connection,
  publication: Publication & { request: Asked; asked: Response | Promise<Response> },
): Promise<Response | undefined> {
  const { device, packet, request, asked } = publication;
  let answer = (await Promise.resolve(asked).catch(deps.report)) ?? undefined;
  if (answer) slow(deps, connection, answer);
  // Version 3.1.1 has no refusal: what may succeed after the pause is asked again.
  while (isOld(connection) && packet.qos > 0 && answer?.status === 429 && !connection.hasEnded) {
    await connection.pause;
    const again = Promise.resolve(ask(deps.service, connection, { ...request, device }));
    answer = (await again.catch(deps.report)) ?? undefined;
    if (answer) slow(deps, connection, answer);
  }
  return answer;
}

/** `outcome`: the answer of the service, undefined if it failed, or the reason without a request. */
function acknowledge(connection: Connection, packet: IPublishPacket, outcome: Response | Reason | undefined): void {
  const { qos, messageId } = packet;
  const cmd = qos === 2 ? 'pubrec' : 'puback';
  const answer = typeof outcome === 'number' ? undefined : outcome;
  const status = typeof outcome === 'number' ? undefined : (outcome?.status ?? 503);
  const reasonCode = typeof outcome === 'number' ? outcome : reasonOf(status!);
  if (status !== undefined && status < 300) connection.pauses = 0;
  if (status === 401) return disconnect(connection, reasons.notAuthorized);
  if (qos === 0) return;
  // A client of 3.1.1 would send again for ever what was not acknowledged: only what may succeed later.
  if (isOld(connection)) {
    if (status !== undefined && status >= 500) return end(connection);
    return send(connection, { cmd, messageId: messageId! });
  }
  // The client sends no PUBREL for it.
  if (reasonCode >= reasons.unspecified) connection.unreleased.delete(messageId!);
  const isPartial = status === 201 && answer!.headers.has('retry-after');
  const reasonString = isPartial ? notToAll : outcome === reasons.badPayload ? tooLarge : undefined;
  send(connection, {
    cmd,
    messageId: messageId!,
    reasonCode,
    ...(reasonString !== undefined && { properties: { reasonString } }),
  });
}

const reasonOf = (status: number): Reason =>
  status < 300 ? reasons.success : (reasonsOfStatus[status] ?? reasons.unspecified);

/** The client does not send the publication of quality 2 again. */
function release(
  deps: PacketDeps,
  connection: Connection,
  { device, packet }: { device: Device; packet: IPubrelPacket },
): void {
  const messageId = packet.messageId!;
  const isKnown = connection.unreleased.delete(messageId);
  // The PUBREL of a known publication was counted with the publication.
  if (!isKnown && deps.packetsOfDevice.take(device.id) > 0) return disconnect(connection, reasons.tooFast);
  const reasonCode = isKnown ? reasons.success : reasons.unknownIdentifier;
  send(connection, { cmd: 'pubcomp', messageId, ...(!isOld(connection) && { reasonCode }) });
}

async function subscribe(
  deps: PacketDeps,
  connection: Connection,
  { device, packet }: { device: Device; packet: ISubscribePacket },
): Promise<void> {
  // CONNACK has announced that neither is available.
  if (packet.properties?.subscriptionIdentifier !== undefined)
    return disconnect(connection, reasons.noSubscriptionIdentifiers);
  const topics = packet.subscriptions.map(({ topic }) => topic);
  if (!isOld(connection) && topics.some((topic) => topic.startsWith('$share/')))
    return disconnect(connection, reasons.noSharedSubscriptions);
  const since = packet.properties?.userProperties?.['since'];
  const refused = isOld(connection) ? reasons.unspecified : reasons.badFilter;
  // Quality 0: the connection is reliable, and nothing is stored for a session.
  const granted = topics.map((topic) => (topic === receivedFilter ? 0 : refused));
  if (topics.includes(receivedFilter)) deps.accepted(device.id, 'receiveMessages');
  else reportUnsubscribed(deps, device, topics);
  if (topics.includes(receivedFilter) && (!connection.endReceiving || since !== undefined)) {
    endReceiving(connection);
    connection.endReceiving = await receive(deps, connection, { device, since: [since].flat()[0] });
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
