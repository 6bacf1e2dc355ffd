/** What a device is refused without a request to the service, which notes what it refuses itself. */
import { problemCodes, type ProblemCode } from '../contract.ts';
import { messageLimits } from '../limits/field-rules.ts';
import { Problem, type Report } from '../problem.ts';
import type { Device } from './connection.ts';
import { reasons, type Reason } from './reasons.ts';

export interface RefusalDeps {
  /** Notes why a device was refused. `operation`: what it asked for. */
  refused: (
    device: { id: string; userId: string },
    refusal: { code: string; detail: string; operation: string },
  ) => void;
  /** Notes what it may do again. */
  accepted: (id: string, operation: string) => void;
  service: { newId: () => string };
  report: Report;
}

/** In characters, of a topic that a client has chosen. */
const topicShown = 100;

/** A connection is an operation that only MQTT has. */
export const connecting = 'connect';

export function reportRefusal(
  { refused, report, service }: RefusalDeps,
  { id, userId }: Pick<Device, 'id' | 'userId'>,
  { code, detail, operation }: { code: ProblemCode; detail: string; operation: string },
): void {
  refused({ id, userId }, { code, detail, operation });
  const request = { request_id: service.newId(), status: problemCodes[code][0], code, user: userId, device: id };
  report(new Problem(code, { detail }), request);
}

/** A publication that is no request: its topic is not known, or its payload is too large. */
export function reportUnsent(
  deps: RefusalDeps,
  device: Device,
  { reason, topic }: { reason: Reason; topic: string },
): void {
  const operation = 'sendMessage';
  if (reason === reasons.badTopic)
    reportRefusal(deps, device, { code: 'route.not_found', detail: `No topic ${shown(topic)}`, operation });
  if (reason === reasons.badPayload) {
    const detail = `The payload is larger than ${messageLimits.payloadBytes / 1024} KiB`;
    reportRefusal(deps, device, { code: 'body.too_large', detail, operation });
  }
}

/** A subscription to none of its topics is possible. */
export function reportUnsubscribed(deps: RefusalDeps, device: Device, [topic = '']: readonly string[]): void {
  const detail = `No topic to receive: ${shown(topic)}`;
  reportRefusal(deps, device, { code: 'route.not_found', detail, operation: 'receiveMessages' });
}

const shown = (topic: string) => JSON.stringify(topic.slice(0, topicShown).toWellFormed());
