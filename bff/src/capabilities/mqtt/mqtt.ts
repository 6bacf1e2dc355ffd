/**
 * A door for devices that speak MQTT (3.1.1 and 5). It is no broker: each packet becomes a request to the service (requests.ts), so
 * that the rules of HTTP hold here too: keys, rates, limits and rights. Nothing is stored for a session, and nothing is buffered for a
 * client that does not read. This file has the connections, from the first byte to the end, and packets.ts what each packet does.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { ClientAddress } from '../../core/http/client-address.ts';
import { credentialsCheckedEveryMs, endRevoked } from '../../core/http/ended-credentials.ts';
import { flushed, type EventStreams } from '../../core/http/event-streams.ts';
import { Counts, SetsByKey } from '../../core/limits/bounded-map.ts';
import type { DeviceConnections } from '../../core/limits/device-connections.ts';
import { mqttLimits } from './limits.ts';
import type { Rate } from '../../core/limits/rate.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { Report } from '../../core/problem.ts';
import type { Service } from '../../service/service.ts';
import type { Database } from '../../core/store/database.ts';
import { createClients } from './clients.ts';
import { disconnect, end, newConnection, type Connection } from './connection.ts';
import type { DeliveryDeps } from './deliveries.ts';
import { handle, type PacketDeps } from './packets.ts';
import { readProxyHeader } from './proxy-protocol.ts';
import { reasons } from './reasons.ts';
import type { ServiceDoor } from './requests.ts';
import { createWills } from './wills.ts';

const nothing = Buffer.alloc(0);
/** Packets that are handled before other work runs. */
const handledAtOnce = 50;

export function createMqtt(
  options: ServiceDoor & {
    keys: Pick<Service['keys'], 'verify' | 'ended'>;
    messages: DeliveryDeps['messages'];
    streams: Pick<EventStreams, 'reserve'>;
    devices: Pick<PacketDeps, 'heard' | 'refused' | 'accepted'>;
    addresses: Pick<ClientAddress, 'ofConnection' | 'ofProxied'>;
    packetsOfDevice: Rate;
    /** Counts the connections of a device that end another one of it. */
    takeovers: Rate;
    db: Pick<Database, 'announce' | 'onAnnounced'>;
    connections: DeviceConnections;
    report: Report;
  },
) {
  const {
    fetch,
    baseUrl,
    keyHeader,
    newId,
    keys,
    messages,
    streams,
    devices,
    addresses,
    packetsOfDevice,
    takeovers,
    db,
    connections: connectionsOfDevices,
    report,
  } = options;
  const service = { fetch, baseUrl, keyHeader, newId };
  const wills = createWills({ service, report });
  const clients = createClients({ db, newId, takeovers, replaceWill: wills.replace });
  const deps: PacketDeps = {
    service,
    keys,
    messages,
    streams,
    heard: devices.heard,
    refused: devices.refused,
    accepted: devices.accepted,
    packetsOfDevice,
    clients,
    connections: connectionsOfDevices,
    wills,
    paused: new Counts(),
    resume: (connection) => void pump(deps, connection),
    report,
  };
  const connections = new Set<Connection>();
  const silent = createSilentConnections();
  let checking: NodeJS.Timeout | undefined;
  let server: Server | undefined;
  let port = 0;
  let isClosed = false;

  /** One at a time, also if the database takes longer than the time between two checks. */
  const checkKeys = shareNextRun(() => disconnectEnded(connections, keys).catch(report));

  function check() {
    checkTimes(connections);
    void checkKeys();
  }

  function accept(socket: Socket): void {
    if (isClosed) return void socket.destroy();
    const peer = socket.remoteAddress ?? '';
    const connection = newConnection({
      socket,
      peer,
      address: addresses.ofConnection(peer),
      leaveSilent: () => silent.remove(connection),
    });
    connections.add(connection);
    silent.add(connection);
    checking ??= setInterval(check, credentialsCheckedEveryMs);
    // So the system finds a connection whose client is gone.
    socket.setKeepAlive(true, 60_000);
    socket.on('data', (bytes) => {
      if (connection.hasEnded || connection.reader.hasFailed()) return;
      connection.heardAt = performance.now();
      socket.pause();
      try {
        connection.reader.add(withoutProxyHeader(connection, bytes));
      } catch {
        connection.reader.fail(reasons.malformed);
      }
      void pump(deps, connection);
    });
    socket.on('error', () => {});
    socket.on('close', () => closed(connection));
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
    silent.remove(connection);
    connection.address = address;
    silent.add(connection);
    return arrived.subarray(header.length);
  }

  function closed(connection: Connection) {
    end(connection);
    connection.release();
    connections.delete(connection);
    clients.forget(connection);
    if (connections.size > 0) return;
    clearInterval(checking);
    checking = undefined;
  }

  return {
    /** @throws if the address cannot be used */
    async listen(address: { host: string; port: number }): Promise<void> {
      server = createServer({ noDelay: true }, accept);
      server.maxConnections = mqttLimits.connections;
      server.listen(address);
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
    },
    /** Where devices connect that reach it without a proxy. */
    url: () => `mqtt://${new URL(baseUrl).hostname}:${port}`,
    /** The number of connections. */
    count: () => connections.size,
    close() {
      isClosed = true;
      server?.close();
      clients.close();
      wills.close();
      for (const connection of connections) disconnect(connection, reasons.shuttingDown);
    },
  };
}

/** Connections that have sent no packet, by address, oldest first. If there are too many, the oldest one of the address that has most ends. */
function createSilentConnections() {
  const byAddress = new SetsByKey<Connection>();
  let count = 0;
  return {
    add(connection: Connection): void {
      byAddress.add(connection.address, connection);
      count += 1;
      if (count <= mqttLimits.silent) return;
      let most = new Set<Connection>();
      for (const ofAddress of byAddress.values()) if (ofAddress.size > most.size) most = ofAddress;
      for (const oldest of most) return end(oldest);
    },
    remove(connection: Connection): void {
      if (!byAddress.get(connection.address)?.has(connection)) return;
      byAddress.remove(connection.address, connection);
      count -= 1;
    },
  };
}

/** Ends the connections whose clients have not connected, or are gone. */
function checkTimes(connections: ReadonlySet<Connection>): void {
  const at = performance.now();
  for (const connection of connections) {
    const { device, startedAt, heardAt, keepAlive, hasEnded, endedAt, pause, inFlight, socket } = connection;
    if (hasEnded) {
      if (at > endedAt + mqttLimits.closeMs) socket.destroy();
      continue;
    }
    // The client waits for the server, which may not read the socket meanwhile.
    if (pause || inFlight > 0) continue;
    if (!device && at > startedAt + mqttLimits.connectMs) end(connection);
    if (device && at > heardAt + keepAlive) disconnect(connection, reasons.keepAliveTimeout);
  }
}

/** Ends the connections whose keys have ended. */
export async function disconnectEnded(
  connections: ReadonlySet<Connection>,
  keys: Pick<Service['keys'], 'ended'>,
): Promise<void> {
  const byKey = new SetsByKey<Connection>();
  for (const connection of connections)
    if (connection.device && !connection.hasEnded) byKey.add(connection.device.keyId, connection);
  const onEnded = (id: string) => {
    for (const connection of byKey.of(id)) disconnect(connection, reasons.notAuthorized);
  };
  await endRevoked({ ids: [...byKey.keys()], endedOf: keys.ended, onEnded });
}

/** Handles the packets of a connection in their order. When none waits, the socket is read again. */
async function pump(deps: PacketDeps, connection: Connection): Promise<void> {
  if (connection.isPumping) return;
  connection.isPumping = true;
  const { socket, reader } = connection;
  let handled = 0;
  while (connection.inFlight < mqttLimits.inFlight && !connection.pause && !connection.hasEnded) {
    if (socket.writableNeedDrain) await flushed(socket);
    const packet = reader.next();
    if (packet === undefined) break;
    if (typeof packet === 'object') connection.leaveSilent();
    if (++handled % handledAtOnce === 0) await nextLoopTick();
    connection.inFlight += 1;
    const done = handle(deps, connection, packet)
      .catch((error: unknown) => {
        deps.report(error);
        disconnect(connection, reasons.unspecified);
      })
      .finally(() => {
        connection.inFlight -= 1;
        void pump(deps, connection);
      });
    // Publications wait together for one commit. Other packets change the connection, so the next packet waits for them.
    if (typeof packet === 'number' || packet.cmd !== 'publish') await done;
  }
  connection.isPumping = false;
  if (reader.hasNext() || connection.pause || connection.hasEnded) return;
  // The client may have sent something meanwhile, which is read now.
  if (socket.isPaused()) connection.heardAt = performance.now();
  socket.resume();
}
