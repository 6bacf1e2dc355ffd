/** Notes what a device is refused without a request to the service. The service notes itself what it refuses. */
import { problemCodes, type ProblemCode } from '../../contract.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { Problem, type Report } from '../../core/problem.ts';
import type { Device } from './connection.ts';
import { reasons, type Reason } from './reasons.ts';

export interface RefusalDeps {
  /** Notes why a device was refused. `operation`: what it asked for. */
  refused: (
    device: { id: string; userId: string },
    refusal: { code: string; detail: string; operation: string },
  ) => void;
  /** Notes that the device may do this operation again. */
  accepted: (id: string, operation: string) => void;
  service: { newId: () => string };
  report: Report;
}

/** In characters: how much of a topic is shown, which a client has chosen. */
const topicShown = 100;

/** To connect is an operation that only MQTT has. */
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

/** For a publication that becomes no request, because its topic is not known, or its payload is too large. */
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

/** For a SUBSCRIBE with none of the topics that can be received. */
export function reportUnsubscribed(deps: RefusalDeps, device: Device, [topic = '']: readonly string[]): void {
  const detail = `No topic to receive: ${shown(topic)}`;
  reportRefusal(deps, device, { code: 'route.not_found', detail, operation: 'receiveMessages' });
}

const shown = (topic: string) => JSON.stringify(topic.slice(0, topicShown).toWellFormed());
