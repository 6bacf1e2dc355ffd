/** CONNECT: whether a client may connect, and what it gets then. */
import type { IConnectPacket } from 'mqtt-packet';
import type { EventStreams } from '../../core/http/event-streams.ts';
import type { DeviceConnections } from '../../core/limits/device-connections.ts';
import { idFormat, messageLimits } from '../../core/limits/field-rules.ts';
import { mqttLimits } from './limits.ts';
import { Problem } from '../../core/problem.ts';
import type { Service } from '../../service/service.ts';
import { clientName, type Clients } from './clients.ts';
import { disconnect, end, isOld, send, type Connection, type Device } from './connection.ts';
import { packetAtMost } from './packet-reader.ts';
import { oldCodeOf, reasons, reasonsOfStatus, type Reason } from './reasons.ts';
import { connecting, reportRefusal, type RefusalDeps } from './refusals.ts';
import { ask, requestOf, type ServiceDoor } from './requests.ts';
import type { Wills } from './wills.ts';

export interface ConnectDeps extends RefusalDeps {
  service: ServiceDoor;
  keys: Pick<Service['keys'], 'verify'>;
  streams: Pick<EventStreams, 'reserve'>;
  clients: Pick<Clients, 'take' | 'announce'>;
  wills: Pick<Wills, 'hold'>;
  /** The slots of each device, also those of its streams. */
  connections: DeviceConnections;
}

export async function connect(deps: ConnectDeps, connection: Connection, packet: IConnectPacket): Promise<void> {
  const fault = faultOfConnect(connection, packet);
  if (fault !== undefined) return refuse(connection, fault);
  const device = await authenticate(deps, connection, packet);
  if (typeof device === 'number') return refuse(connection, device);
  if (!connection.hasEnded) admit(deps, connection, { device, packet });
}

/** What this server does not have, or does not take. What no server may take is in packet-faults.ts. */
function faultOfConnect(connection: Connection, packet: IConnectPacket): Reason | undefined {
  const { protocolVersion, clientId, clean, properties, will } = packet;
  if (protocolVersion !== 4 && protocolVersion !== 5) return reasons.badVersion;
  const isUnnamed = clientId === '' && isOld(connection) && clean === false;
  if (isUnnamed || clientId.length > mqttLimits.clientId) return reasons.badClientId;
  if (properties?.authenticationMethod !== undefined) return reasons.badAuthentication;
  return will && !isOld(connection) ? faultOfWill(will) : undefined;
}

/** Version 3.1.1 has no such refusals. There, a will to another topic is not sent, and the flag is ignored. */
function faultOfWill(will: NonNullable<IConnectPacket['will']>): Reason | undefined {
  if (will.retain) return reasons.noRetain;
  return requestOf(will) ? undefined : reasons.badTopic;
}

/** Returns the device whose id and key the client has sent, or why it is refused. */
async function authenticate(
  { service, keys }: ConnectDeps,
  connection: Connection,
  { username: id = '', password }: IConnectPacket,
): Promise<Device | Reason> {
  const key = password?.toString() ?? '';
  // A key with other characters cannot be sent in a header.
  if (!idFormat.test(id) || !/^[\x21-\x7e]*$/.test(key)) return reasons.badCredentials;
  const { status } = await ask(service, connection, { device: { id, key }, path: '' });
  if (status === 401) return reasons.badCredentials;
  if (status !== 200) return reasonsOfStatus[status] ?? reasons.unavailable;
  const caller = await keys.verify(key);
  if (caller?.resourceId !== id) return reasons.notAuthorized;
  return { id, key, userId: caller.userId, keyId: caller.keyId };
}

/** Connects the device, unless there are too many connections or wills. In one tick: no other connection comes in between. */
function admit(
  deps: ConnectDeps,
  connection: Connection,
  { device, packet }: { device: Device; packet: IConnectPacket },
): void {
  const { service, clients, wills } = deps;
  const { clientId, keepalive = 0, properties, will } = packet;
  // A client of 3.1.1 without an identifier takes nothing over, and nobody takes it over.
  const assigned = clientId === '' && !isOld(connection) ? service.newId() : undefined;
  const identifier = assigned ?? clientId;
  const client = identifier === '' ? undefined : clientName(device.id, identifier);
  // Before the older connection of the client is ended: a refusal costs it nothing.
  const pendingWill = will && wills.hold(will, { connection, device, client });
  if (will && !pendingWill) return refuse(connection, reasons.quotaExceeded);
  const isNewest = client === undefined || clients.take(connection, client);
  if (!isNewest || !takeStreamSlot(deps, connection, device)) {
    pendingWill?.drop();
    const detail = 'Too many connections of the device or of its user';
    reportRefusal(deps, device, { code: 'events.too_many', detail, operation: connecting });
    return refuse(connection, reasons.quotaExceeded);
  }
  deps.accepted(device.id, connecting);
  connection.device = device;
  connection.packetAtMost = properties?.maximumPacketSize ?? Infinity;
  if (keepalive > 0) connection.keepAlive = keepalive * 1500;
  accept(connection, assigned);
  if (connection.hasEnded) return pendingWill?.drop();
  connection.will = pendingWill;
  clients.announce(connection);
}

/** Counts the connection as a stream of its device and of its user. Returns false if there are too many, or too many new ones. */
function takeStreamSlot(
  { streams, connections }: ConnectDeps,
  connection: Connection,
  { id, userId }: Device,
): boolean {
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

export function refuse(connection: Connection, reasonCode: Reason): void {
  const code = isOld(connection) ? { returnCode: oldCodeOf(reasonCode) } : { reasonCode };
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
