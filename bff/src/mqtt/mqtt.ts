/**
 * A door for devices that speak MQTT (3.1.1 and 5). It is no broker: each packet becomes a request to the service, so that the
 * rules of HTTP hold here too: keys, rates, limits and rights. Nothing is stored for a session, and nothing is buffered for a
 * client that does not read.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { generate, parser as createParser, type IConnectPacket, type IPublishPacket, type Packet } from 'mqtt-packet';
import { Problem, type Report } from '../problem.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { flushed, type EventStreams } from '../http/event-streams.ts';
import type { RequestBindings } from '../http/request-bindings.ts';
import { idFormat, messageLimits, mqttLimits } from '../limits/field-rules.ts';
import { Counts, SetsByKey } from '../limits/bounded-map.ts';
import type { Rate } from '../limits/rate.ts';
import { shareNextRun } from '../limits/share-next-run.ts';
import type { Service } from '../service/service.ts';
import { readProxyHeader } from './proxy-protocol.ts';

/** In bytes: a payload and its topic. A longer packet is refused before it has arrived. */
const packetAtMost = messageLimits.payloadBytes + 4096;
/** Publications of a connection that are being written. Then the socket is not read. */
const inFlightAtMost = 16;
const nothing = Buffer.alloc(0);
/** Packets that are handled before other work runs. */
const handledAtOnce = 50;
/** A pause is at most 32 times as long as the refusal says. */
const mostDoubled = 5;
/** In ms. */
const connectWithin = 10_000;
/** A client that does not read what was written before the end of its connection holds the socket no longer. */
const closeWithin = 2000;
const checkedEvery = 800;
const keysAtOnce = 500;

/** Reason codes of MQTT 5. */
const reasons = {
  success: 0,
  noSubscription: 0x11,
  unspecified: 0x80,
  malformed: 0x81,
  protocolError: 0x82,
  badCredentials: 0x86,
  notAuthorized: 0x87,
  unavailable: 0x88,
  shuttingDown: 0x8b,
  keepAliveTimeout: 0x8d,
  badFilter: 0x8f,
  badTopic: 0x90,
  badAlias: 0x94,
  tooLarge: 0x95,
  tooFast: 0x96,
  quotaExceeded: 0x97,
  badPayload: 0x99,
  noRetain: 0x9a,
  noQos2: 0x9b,
} as const;
type Reason = (typeof reasons)[keyof typeof reasons];

/** Of the statuses of the service. */
const reasonsOfStatus: Record<number, Reason> = {
  400: reasons.badPayload,
  401: reasons.notAuthorized,
  403: reasons.notAuthorized,
  404: reasons.notAuthorized,
  413: reasons.tooLarge,
  429: reasons.quotaExceeded,
};
/** MQTT 3.1.1 has other codes for a refused connection: unacceptable version, identifier rejected, unavailable, … */
const connectCodes: Partial<Record<Reason, number>> = {
  [reasons.badCredentials]: 4,
  [reasons.notAuthorized]: 5,
};
const oldUnavailable = 3;
const oldRejected = 2;
const oldVersion = 1;

const receivedFilter = 'messages/#';
/** Of a message that was sent, but to some of the device's swarms only. */
const notToAll = 'not sent to all swarms: some take no more messages now';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A request to the service. `path`: below that of the device. */
interface Asked {
  path: string;
  method?: string;
  body?: string;
}

/** A message that is delivered. */
type Outgoing = Parameters<Parameters<Service['messages']['receive']>[0]['send']>[0][number];

/** A device that has connected. */
interface Device {
  id: string;
  userId: string;
  keyId: string;
  key: string;
}

interface Connection {
  socket: Socket;
  /** The address of the other end, and that of the client, which a proxy may have told. */
  peer: string;
  address: string;
  /** What has arrived of the header of a proxy. Undefined: what follows is MQTT. */
  proxyHeader: Buffer | undefined;
  version: number;
  device: Device | undefined;
  startedAt: number;
  /** When the last packet came, and after how many ms without one the client is gone. */
  heardAt: number;
  keepAlive: number;
  /** What was read of the socket and is not handled yet: packets are parsed one by one, because that takes thirty times their bytes. */
  unread: Buffer;
  parse: (bytes: Buffer) => Packet | undefined;
  /** Why what follows cannot be read. */
  fault: Reason | undefined;
  inFlight: number;
  isPumping: boolean;
  /** Too fast: nothing is read or handled until this resolves. */
  pause: Promise<void> | undefined;
  endPause: () => void;
  /** Pauses since a publication was last accepted. */
  pauses: number;
  hasEnded: boolean;
  endedAt: number;
  /** Acknowledgements are sent in the order of the publications. */
  lastAck: Promise<void>;
  release: () => void;
  endReceiving: (() => void) | undefined;
}

export function createMqtt(options: {
  /** Serves a request with a key, as for HTTP. */
  fetch: (request: Request, bindings: RequestBindings) => Response | Promise<Response>;
  baseUrl: string;
  keyHeader: string;
  keys: Pick<Service['keys'], 'verify' | 'ended'>;
  messages: Pick<Service['messages'], 'receive' | 'newestPosition'>;
  streams: Pick<EventStreams, 'reserve'>;
  /** Notes that a device is there. */
  heard: (id: string) => void;
  addresses: Pick<ClientAddress, 'ofConnection' | 'ofProxied'>;
  /** Of each device: the packets that make no request. The service limits the others. */
  packetsOfDevice: Rate;
  newId: () => string;
  report: Report;
}) {
  const { fetch, baseUrl, keyHeader, keys, messages, streams, heard, addresses, packetsOfDevice, newId, report } =
    options;
  /** The packets of a message, which all of its receivers share, by version. */
  const packets = new WeakMap<Outgoing, Map<number, Uint8Array>>();
  const connections = new Set<Connection>();
  /** Those that have not sent CONNECT, by address, oldest first. */
  const silent = new SetsByKey<Connection>();
  let silentCount = 0;
  /** What was read of connections that are paused, by user, in bytes. */
  const paused = new Counts();
  let checking: NodeJS.Timeout | undefined;
  let server: Server | undefined;
  let isClosed = false;

  function check() {
    const at = performance.now();
    for (const connection of connections) {
      const { device, startedAt, heardAt, keepAlive, hasEnded, endedAt, pause, socket } = connection;
      if (hasEnded) {
        if (at > endedAt + closeWithin) socket.destroy();
      } else if (!device && at > startedAt + connectWithin) end(connection);
      else if (device && !pause && at > heardAt + keepAlive) disconnect(connection, reasons.keepAliveTimeout);
    }
    void checkKeys();
  }

  /** One at a time, also if the database takes longer than the time between two checks. */
  const checkKeys = shareNextRun(() => disconnectEnded().catch(report));

  async function disconnectEnded() {
    const byKey = new SetsByKey<Connection>();
    for (const connection of connections)
      if (connection.device && !connection.hasEnded) byKey.add(connection.device.keyId, connection);
    const ids = [...byKey.keys()];
    for (let from = 0; from < ids.length; from += keysAtOnce) {
      for (const id of await keys.ended(ids.slice(from, from + keysAtOnce)))
        for (const connection of byKey.of(id)) disconnect(connection, reasons.notAuthorized);
      await nextTurn();
    }
  }

  function send({ socket, version, hasEnded }: Connection, packet: Packet) {
    if (!hasEnded && !socket.destroyed) socket.write(generate(packet, { protocolVersion: version }));
  }

  function isSilent(connection: Connection) {
    silent.add(connection.address, connection);
    silentCount += 1;
    if (silentCount <= mqttLimits.silent) return;
    let most = new Set<Connection>();
    for (const ofAddress of silent.values()) if (ofAddress.size > most.size) most = ofAddress;
    for (const oldest of most) return end(oldest);
  }

  function isNotSilent(connection: Connection) {
    if (!silent.get(connection.address)?.has(connection)) return;
    silent.remove(connection.address, connection);
    silentCount -= 1;
  }

  /** What was written is sent. The connection counts until its socket is closed. */
  function end(connection: Connection) {
    if (connection.hasEnded) return;
    connection.hasEnded = true;
    connection.endedAt = performance.now();
    connection.unread = nothing;
    connection.endPause();
    connection.endReceiving?.();
    isNotSilent(connection);
    connection.socket.destroySoon();
  }

  function closed(connection: Connection) {
    end(connection);
    connection.release();
    connections.delete(connection);
    if (connections.size > 0) return;
    clearInterval(checking);
    checking = undefined;
  }

  /** MQTT 3.1.1 has no packet for it: the connection is closed. */
  function disconnect(connection: Connection, reasonCode: Reason) {
    if (connection.version === 5 && connection.device) send(connection, { cmd: 'disconnect', reasonCode });
    if (connection.socket.writableNeedDrain) connection.socket.destroy();
    end(connection);
  }

  /** The service gets the part of a `Request` that it reads, because the streams of a real one cost 7 µs of each message. */
  function ask(
    { address }: Connection,
    device: Pick<Device, 'id' | 'key'>,
    { path, method = 'GET', body = '' }: Asked,
  ) {
    const bytes = new TextEncoder().encode(body);
    const headers = new Headers({
      [keyHeader]: device.key,
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    });
    const url = `${baseUrl}/resources/${device.id}${path}`;
    const sent = { method, url, headers, arrayBuffer: async () => bytes.buffer } as Partial<Request> as Request;
    let id: string | undefined;
    return fetch(sent, { clientAddress: () => address, requestId: () => (id ??= newId()) });
  }

  /**
   * After a refusal because of a rate, the connection is read on when the time has passed that the refusal names. What its
   * client sends meanwhile waits in the socket: it would be refused too, and a refusal costs the server far more than the client.
   * The time doubles if nothing was accepted since the last pause: thousands of connections of a user may share one rate.
   */
  function slowDown(connection: Connection, { userId }: Device, answer: Response) {
    if (answer.status !== 429 || connection.pause || connection.hasEnded) return;
    connection.socket.pause();
    const bytes = connection.unread.length;
    if (paused.of(userId) + bytes > mqttLimits.pausedBytes) return disconnect(connection, reasons.tooFast);
    paused.change(userId, bytes);
    const { promise, resolve } = Promise.withResolvers<void>();
    const seconds = Number(answer.headers.get('retry-after') ?? 1) * 2 ** Math.min(connection.pauses, mostDoubled);
    connection.pauses += 1;
    const timer = setTimeout(resolve, seconds * 1000).unref();
    connection.endPause = resolve;
    connection.pause = promise.then(() => {
      clearTimeout(timer);
      paused.change(userId, -bytes);
      connection.pause = undefined;
      connection.heardAt = performance.now();
      void pump(connection);
    });
  }

  async function connect(connection: Connection, packet: IConnectPacket) {
    const isOld = connection.version !== 5;
    const refuse = (reason: Reason, oldCode = connectCodes[reason] ?? oldUnavailable) => {
      send(connection, {
        cmd: 'connack',
        sessionPresent: false,
        ...(isOld ? { returnCode: oldCode } : { reasonCode: reason }),
      });
      end(connection);
    };
    if (packet.protocolVersion !== 4 && packet.protocolVersion !== 5) return refuse(reasons.protocolError, oldVersion);
    // In MQTT 5, the answer says that the session ends with the connection.
    if (isOld && packet.clean === false) return refuse(reasons.protocolError, oldRejected);
    const { username: id = '', password, keepalive = 0 } = packet;
    const key = password?.toString() ?? '';
    // Others cannot be in a header.
    if (!idFormat.test(id) || !/^[\x21-\x7e]*$/.test(key)) return refuse(reasons.badCredentials);
    const { status } = await ask(connection, { id, key }, { path: '' });
    if (status === 401) return refuse(reasons.badCredentials);
    if (status !== 200) return refuse(reasonsOfStatus[status] ?? reasons.unavailable);
    const caller = await keys.verify(key);
    if (caller?.resourceId !== id) return refuse(reasons.notAuthorized);
    if (connection.hasEnded) return;
    const { userId, keyId } = caller;
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
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refuse(reasons.quotaExceeded);
    }
    connection.device = { id, key, userId, keyId };
    if (keepalive > 0) connection.keepAlive = keepalive * 1500;
    send(connection, {
      cmd: 'connack',
      sessionPresent: false,
      ...(isOld
        ? { returnCode: 0 }
        : {
            reasonCode: reasons.success,
            properties: {
              sessionExpiryInterval: 0,
              receiveMaximum: inFlightAtMost,
              maximumQoS: 1,
              retainAvailable: false,
              maximumPacketSize: packetAtMost,
              sharedSubscriptionAvailable: false,
              subscriptionIdentifiersAvailable: false,
            },
          }),
    });
  }

  async function publish(connection: Connection, device: Device, packet: IPublishPacket) {
    const { qos, messageId, topic, payload, retain, properties } = packet;
    const isOld = connection.version !== 5;
    if (qos === 2) return disconnect(connection, reasons.noQos2);
    if (retain && !isOld) return disconnect(connection, reasons.noRetain);
    if (properties?.topicAlias !== undefined) return disconnect(connection, reasons.badAlias);
    const request = requestOf(topic, Buffer.from(payload));
    if (!request && packetsOfDevice.take(device.id) > 0) return disconnect(connection, reasons.tooFast);
    const asked = request && ask(connection, device, request);
    // Before the next packet is handled.
    if (asked instanceof Response) slowDown(connection, device, asked);
    const before = connection.lastAck;
    const acknowledged = (async () => {
      let answer = await Promise.resolve(asked).catch(report);
      if (answer) slowDown(connection, device, answer);
      // It has no refusal: what may succeed after the pause is asked again.
      while (isOld && qos === 1 && answer?.status === 429 && !connection.hasEnded) {
        await connection.pause;
        answer = await Promise.resolve(ask(connection, device, request!)).catch(report);
        if (answer) slowDown(connection, device, answer);
      }
      await before;
      const status = request ? (answer?.status ?? 503) : 400;
      if (status < 300) connection.pauses = 0;
      if (status === 401) return disconnect(connection, reasons.notAuthorized);
      if (qos === 0) return;
      const refusal = request ? (reasonsOfStatus[status] ?? reasons.unspecified) : reasons.badTopic;
      const reasonCode = status < 300 ? reasons.success : refusal;
      // A client of 3.1.1 would send again for ever what was not acknowledged: only what may succeed later.
      if (isOld && status >= 500) return end(connection);
      const isPartial = status === 201 && answer!.headers.has('retry-after');
      send(connection, {
        cmd: 'puback',
        messageId: messageId!,
        ...(!isOld && { reasonCode }),
        ...(!isOld && isPartial && { properties: { reasonString: notToAll } }),
      });
    })();
    connection.lastAck = acknowledged;
    await acknowledged;
  }

  function packetOf(message: Outgoing, version: number): Uint8Array {
    const ofMessage = packets.get(message) ?? new Map<number, Uint8Array>();
    const known = ofMessage.get(version);
    if (known) return known;
    const packet = newPacketOf(message, version);
    packets.set(message, ofMessage.set(version, packet));
    return packet;
  }

  function newPacketOf({ row, id }: Outgoing, version: number, properties: Record<string, string> = {}) {
    return generate(
      {
        cmd: 'publish',
        topic: `messages/${row.swarm_id}/${row.sender_id}`,
        payload: row.payload,
        qos: 0,
        dup: false,
        retain: false,
        ...(version === 5 && { properties: { userProperties: { id, ...properties } } }),
      },
      { protocolVersion: version },
    );
  }

  async function receive(connection: Connection, device: Device, since: string | undefined) {
    const { socket } = connection;
    const after = since ?? (await messages.newestPosition());
    const { version } = connection;
    /** The next message says so. Version 3.1.1 cannot. */
    let missingAfter: string | undefined;
    if (connection.hasEnded) return () => {};
    const { end: endReceiving, started } = messages.receive({
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
          socket.write(
            isTold ? newPacketOf(message, version, { 'missing-after': missingAfter! }) : packetOf(message, version),
          );
          missingAfter = undefined;
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
    return endReceiving;
  }

  async function handle(connection: Connection, packet: Packet | Reason) {
    if (typeof packet === 'number') return disconnect(connection, packet);
    const { device } = connection;
    if (packet.cmd === 'connect' ? device : !device) return disconnect(connection, reasons.protocolError);
    if (packet.cmd === 'connect') return connect(connection, packet);
    heard(device!.id);
    if (packet.cmd === 'publish') return publish(connection, device!, packet);
    if (packetsOfDevice.take(device!.id) > 0) return disconnect(connection, reasons.tooFast);
    if (packet.cmd === 'pingreq') return send(connection, { cmd: 'pingresp' });
    // A message that is not delivered yet is read again with `since`.
    if (packet.cmd === 'disconnect') return end(connection);
    if (packet.cmd === 'subscribe') {
      const isMeant = packet.subscriptions.some(({ topic }) => topic === receivedFilter);
      const since = packet.properties?.userProperties?.['since'];
      const refused = connection.version === 5 ? reasons.badFilter : reasons.unspecified;
      // Quality 0: the connection is reliable, and nothing is stored for a session.
      const granted = packet.subscriptions.map(({ topic }) => (topic === receivedFilter ? 0 : refused));
      if (isMeant && (!connection.endReceiving || since !== undefined)) {
        connection.endReceiving?.();
        connection.endReceiving = undefined;
        connection.endReceiving = await receive(connection, device!, [since].flat()[0]);
      }
      return send(connection, { cmd: 'suback', messageId: packet.messageId!, granted });
    }
    if (packet.cmd === 'unsubscribe') {
      // A bridge of mosquitto also unsubscribes from what it sends.
      const isMeant = packet.unsubscriptions.includes(receivedFilter) && connection.endReceiving !== undefined;
      const granted = packet.unsubscriptions.map((topic) =>
        topic === receivedFilter && isMeant ? reasons.success : reasons.noSubscription,
      );
      if (isMeant) connection.endReceiving?.();
      if (isMeant) connection.endReceiving = undefined;
      return send(connection, { cmd: 'unsuback', messageId: packet.messageId!, granted });
    }
    return disconnect(connection, reasons.protocolError);
  }

  /** Takes the header of a proxy from what has arrived first. Returns what follows. @throws Error if it is not valid */
  function withoutProxyHeader(connection: Connection, bytes: Buffer): Buffer {
    if (!connection.proxyHeader) return bytes;
    const arrived = Buffer.concat([connection.proxyHeader, bytes]);
    const header = readProxyHeader(arrived);
    connection.proxyHeader = header === 'incomplete' ? arrived : undefined;
    if (header === 'incomplete') return nothing;
    if (header === 'none') return arrived;
    const address = addresses.ofProxied(connection.peer, header.address);
    if (address === undefined) throw new Error('the proxy is not trusted');
    isNotSilent(connection);
    connection.address = address;
    isSilent(connection);
    return arrived.subarray(header.length);
  }

  /** Handles the packets in their order. The socket is read on when none waits. */
  async function pump(connection: Connection) {
    if (connection.isPumping) return;
    connection.isPumping = true;
    const { socket } = connection;
    let handled = 0;
    while (connection.inFlight < inFlightAtMost && !connection.pause && !connection.hasEnded) {
      if (socket.writableNeedDrain) await flushed(socket);
      const packet = nextPacket(connection);
      if (packet === undefined) break;
      if (++handled % handledAtOnce === 0) await nextTurn();
      connection.inFlight += 1;
      const done = handle(connection, packet)
        .catch((error: unknown) => {
          report(error);
          disconnect(connection, reasons.unspecified);
        })
        .finally(() => {
          connection.inFlight -= 1;
          void pump(connection);
        });
      // Publications are written together. All else changes the connection.
      if (typeof packet === 'number' || packet.cmd !== 'publish') await done;
    }
    connection.isPumping = false;
    if (!hasPacket(connection) && !connection.pause && !connection.hasEnded) socket.resume();
  }

  function accept(socket: Socket): void {
    if (isClosed) return void socket.destroy();
    const at = performance.now();
    const peer = socket.remoteAddress ?? '';
    const connection: Connection = {
      socket,
      peer,
      address: addresses.ofConnection(peer),
      proxyHeader: nothing,
      version: 4,
      device: undefined,
      startedAt: at,
      heardAt: at,
      keepAlive: Infinity,
      unread: nothing,
      parse,
      fault: undefined,
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
    connections.add(connection);
    isSilent(connection);
    checking ??= setInterval(check, checkedEvery);
    // It has the version of the packets that follow.
    const parser = createParser() as ReturnType<typeof createParser> & { settings: { protocolVersion?: number } };
    let parsed: Packet | undefined;
    parser.on('packet', (packet) => {
      isNotSilent(connection);
      if (packet.cmd === 'connect' && !connection.device) {
        connection.version = packet.protocolVersion ?? 4;
        parser.settings.protocolVersion = connection.version;
      }
      parsed = packet;
    });
    // Then nothing was parsed.
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
    // Without a client, the connection is found dead by the system.
    socket.setKeepAlive(true, 60_000);
    socket.on('data', (bytes) => {
      if (connection.hasEnded || connection.fault !== undefined) return;
      connection.heardAt = performance.now();
      socket.pause();
      try {
        const more = withoutProxyHeader(connection, bytes);
        connection.unread = connection.unread.length === 0 ? more : Buffer.concat([connection.unread, more]);
      } catch {
        connection.fault = reasons.malformed;
      }
      void pump(connection);
    });
    socket.on('error', () => {});
    socket.on('close', () => closed(connection));
  }

  return {
    /** Returns the port. @throws if the address cannot be used */
    async listen(address: { host: string; port: number }): Promise<number> {
      server = createServer({ noDelay: true }, accept);
      server.maxConnections = mqttLimits.connections;
      server.listen(address);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    /** Where devices connect that reach it without a proxy; undefined if nothing listens. */
    url() {
      const { hostname } = new URL(baseUrl);
      return server?.listening ? `mqtt://${hostname}:${(server.address() as AddressInfo).port}` : undefined;
    },
    /** The number of connections. */
    count: () => connections.size,
    close() {
      isClosed = true;
      server?.close();
      for (const connection of connections) disconnect(connection, reasons.shuttingDown);
    },
  };
}

/** The length of the packet that begins here, in bytes; undefined if it has not arrived, a reason if it cannot be read. */
function packetLength(bytes: Buffer): { length: number } | Reason | undefined {
  let rest = 0;
  for (let digit = 0; digit < 4; digit++) {
    const byte = bytes[1 + digit];
    if (byte === undefined) return undefined;
    rest += (byte & 127) << (7 * digit);
    if (byte < 128) return rest > packetAtMost ? reasons.tooLarge : { length: 2 + digit + rest };
  }
  return reasons.malformed;
}

/** Whether there is something to handle. */
function hasPacket({ unread, fault }: Connection): boolean {
  const found = fault ?? packetLength(unread);
  return typeof found === 'object' ? unread.length >= found.length : found !== undefined;
}

/** Takes the next packet from what was read; undefined if it has not arrived completely. A reason: it cannot be read. */
function nextPacket(connection: Connection): Packet | Reason | undefined {
  const { unread, fault, parse } = connection;
  const found = fault ?? packetLength(unread);
  if (typeof found !== 'object') return found;
  if (unread.length < found.length) return undefined;
  connection.unread = unread.subarray(found.length);
  return parse(unread.subarray(0, found.length)) ?? reasons.malformed;
}

/** The request of a publication; undefined if there is none with this topic. */
function requestOf(topic: string, payload: Buffer): Asked | undefined {
  if (topic === 'position') return { method: 'PUT', path: '', body: `{"position":${jsonOf(payload)}}` };
  const [name, swarm, to, ...more] = topic.split('/');
  if (name !== 'messages' || more.length > 0) return undefined;
  if ([swarm, to].some((id) => id !== undefined && !idFormat.test(id))) return undefined;
  const ids = [...(swarm ? [`,"swarm_id":"${swarm}"`] : []), ...(to ? [`,"to":"${to}"`] : [])].join('');
  return { method: 'POST', path: '/messages', body: `{"payload":${jsonOf(payload)}${ids}}` };
}

/** What is no JSON is a text, and what is no text is base64. */
function jsonOf(payload: Buffer): string {
  try {
    const text = utf8.decode(payload);
    try {
      JSON.parse(text);
      return text;
    } catch {
      return JSON.stringify(text);
    }
  } catch {
    return JSON.stringify(payload.toString('base64'));
  }
}
