/** What each packet of a client does. CONNECT is in connect.ts, PUBLISH in publish.ts. */
import type { ISubscribePacket, IUnsubscribePacket, Packet } from 'mqtt-packet';
import { connect, refuse, type ConnectDeps } from './connect.ts';
import { disconnect, dropWill, end, isOld, send, type Connection, type Device } from './connection.ts';
import { receive, type DeliveryDeps } from './deliveries.ts';
import { publish, release, type PublishDeps } from './publish.ts';
import { reasons, type Reason } from './reasons.ts';
import { reportUnsubscribed } from './refusals.ts';

const receivedFilter = 'messages/#';

export interface PacketDeps extends ConnectDeps, PublishDeps, DeliveryDeps {
  /** Notes that the device has sent something. */
  heard: (id: string) => void;
}

export async function handle(deps: PacketDeps, connection: Connection, packet: Packet | Reason): Promise<void> {
  const { device } = connection;
  if (typeof packet === 'number') {
    // Version 5 has a CONNACK for a CONNECT with a fault.
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
    // With `since`, the client gets later what was not delivered yet.
    case 'disconnect':
      if (!packet.reasonCode) dropWill(connection);
      return end(connection);
    default:
      return disconnect(connection, reasons.protocolError);
  }
}

async function subscribe(
  deps: PacketDeps,
  connection: Connection,
  { device, packet }: { device: Device; packet: ISubscribePacket },
): Promise<void> {
  // CONNACK has said that neither is available.
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
    await receive(deps, connection, { device, since: [since].flat()[0] });
  }
  send(connection, { cmd: 'suback', messageId: packet.messageId!, granted });
}

function unsubscribe(connection: Connection, { unsubscriptions, messageId }: IUnsubscribePacket): void {
  // A bridge of mosquitto also unsubscribes from topics to which it only publishes.
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
