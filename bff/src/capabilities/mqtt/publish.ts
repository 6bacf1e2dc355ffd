/** PUBLISH and PUBREL: a publication becomes a request to the service, and is acknowledged with its answer. */
import type { IPublishPacket, IPubrelPacket } from 'mqtt-packet';
import type { Counts } from '../../core/limits/bounded-map.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { mqttLimits } from './limits.ts';
import type { Rate } from '../../core/limits/rate.ts';
import { disconnect, end, isOld, send, slowDown, type Connection, type Device } from './connection.ts';
import { isTooLarge } from './payload.ts';
import { reasons, reasonsOfStatus, type Reason } from './reasons.ts';
import { reportUnsent, type RefusalDeps } from './refusals.ts';
import { ask, payloadBytes, requestOf, type Asked, type ServiceDoor } from './requests.ts';

/** Reasons in words: of a payload; of a message that was sent, but to some of the device's swarms only. */
const tooLarge = `the payload is larger than ${messageLimits.payloadBytes / 1024} KiB`;
const notToAll = 'not sent to all swarms: some take no more messages now';

export interface PublishDeps extends RefusalDeps {
  service: ServiceDoor;
  /** Counts the packets of a device that make no request. The service limits the others. */
  packetsOfDevice: Rate;
  /** What was read of connections that are paused, by user, in bytes. */
  paused: Counts;
  /** Handles what waits, when a pause has ended. */
  resume: (connection: Connection) => void;
}

interface Publication {
  device: Device;
  packet: IPublishPacket;
}

export async function publish(deps: PublishDeps, connection: Connection, publication: Publication): Promise<void> {
  const { qos, messageId, retain, properties } = publication.packet;
  if (retain && !isOld(connection)) return disconnect(connection, reasons.noRetain);
  if (properties?.topicAlias !== undefined) return disconnect(connection, reasons.badAlias);
  const isRepeated = qos === 2 && connection.unreleased.has(messageId!);
  const request = isRepeated ? reasons.success : requestOrReason(publication.packet);
  return typeof request === 'number'
    ? acknowledgeUnasked(deps, connection, { ...publication, reason: request })
    : askService(deps, connection, { ...publication, request });
}

/** The request of a publication, or why there is none. */
function requestOrReason(packet: IPublishPacket): Asked | Reason {
  if (isTooLarge(payloadBytes(packet))) return reasons.badPayload;
  return requestOf(packet) ?? reasons.badTopic;
}

/** Acknowledges a publication that is no request, or was one before: here it is counted, and not by the service. */
async function acknowledgeUnasked(
  deps: PublishDeps,
  connection: Connection,
  { device, packet, reason }: Publication & { reason: Reason },
): Promise<void> {
  if (deps.packetsOfDevice.take(device.id) > 0) return disconnect(connection, reasons.tooFast);
  reportUnsent(deps, device, { reason, topic: packet.topic });
  if (!remember(connection, packet)) return;
  const inWords = reason === reasons.badPayload ? tooLarge : undefined;
  connection.lastAck = connection.lastAck.then(() => acknowledge(connection, packet, { reason, inWords }));
  await connection.lastAck;
}

/** The publication is acknowledged after those before it. */
async function askService(
  deps: PublishDeps,
  connection: Connection,
  { device, packet, request }: Publication & { request: Asked },
): Promise<void> {
  if (!remember(connection, packet)) return;
  const asked = ask(deps.service, connection, { ...request, device });
  // Before the next packet is handled.
  if (asked instanceof Response) slow(deps, connection, asked);
  const before = connection.lastAck;
  connection.lastAck = (async () => {
    const answer = await answerOf(deps, connection, { device, packet, request, asked });
    await before;
    acknowledgeAnswer(connection, packet, answer);
  })();
  await connection.lastAck;
}

/** Remembers a publication of quality 2 until its PUBREL. Returns false if there are too many: then the client is disconnected. */
function remember(connection: Connection, { qos, messageId }: IPublishPacket): boolean {
  const { unreleased } = connection;
  if (qos !== 2 || unreleased.has(messageId!)) return true;
  if (unreleased.size >= mqttLimits.unreleased) {
    disconnect(connection, reasons.tooManyInFlight);
    return false;
  }
  unreleased.add(messageId!);
  return true;
}

const slow = (deps: PublishDeps, connection: Connection, answer: Response) =>
  slowDown(connection, { answer, paused: deps.paused, resume: () => deps.resume(connection) });

/** The last answer of the service; undefined if it has failed. */
async function answerOf(
  deps: PublishDeps,
  connection: Connection,
  { device, packet, request, asked }: Publication & { request: Asked; asked: Response | Promise<Response> },
): Promise<Response | undefined> {
  let answer = await slowedAnswer(deps, connection, asked);
  // Version 3.1.1 has no refusal: what may succeed after the pause is asked again.
  while (isOld(connection) && packet.qos > 0 && answer?.status === 429 && !connection.hasEnded) {
    await connection.pause;
    answer = await slowedAnswer(deps, connection, ask(deps.service, connection, { ...request, device }));
  }
  return answer;
}

/** An answer that refuses a request because of a rate slows the connection down. Undefined if the service has failed. */
async function slowedAnswer(
  deps: PublishDeps,
  connection: Connection,
  asked: Response | Promise<Response>,
): Promise<Response | undefined> {
  try {
    const answer = await asked;
    slow(deps, connection, answer);
    return answer;
  } catch (error) {
    deps.report(error);
    return undefined;
  }
}

/** `answer`: undefined if the service has failed. */
function acknowledgeAnswer(connection: Connection, packet: IPublishPacket, answer: Response | undefined): void {
  const status = answer?.status ?? 503;
  if (status < 300) connection.pauses = 0;
  if (status === 401) return disconnect(connection, reasons.notAuthorized);
  // A client of 3.1.1 would send again for ever what was not acknowledged: only what may succeed later.
  if (isOld(connection) && packet.qos > 0 && status >= 500) return end(connection);
  const isPartial = status === 201 && answer!.headers.has('retry-after');
  acknowledge(connection, packet, { reason: reasonOf(status), inWords: isPartial ? notToAll : undefined });
}

const reasonOf = (status: number): Reason =>
  status < 300 ? reasons.success : (reasonsOfStatus[status] ?? reasons.unspecified);

/** A client of 3.1.1 gets no reason. */
function acknowledge(
  connection: Connection,
  { qos, messageId }: IPublishPacket,
  { reason, inWords }: { reason: Reason; inWords: string | undefined },
): void {
  if (qos === 0) return;
  const cmd = qos === 2 ? 'pubrec' : 'puback';
  if (isOld(connection)) return send(connection, { cmd, messageId: messageId! });
  // The client sends no PUBREL for it.
  if (reason >= reasons.unspecified) connection.unreleased.delete(messageId!);
  const properties = inWords === undefined ? {} : { properties: { reasonString: inWords } };
  send(connection, { cmd, messageId: messageId!, reasonCode: reason, ...properties });
}

/** PUBREL: the client does not send the publication of quality 2 again. */
export function release(
  deps: PublishDeps,
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
