import { z } from '@hono/zod-openapi';
import { messageSend, messageSent } from './messages.schema.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { inDigits, quotaTable, rateInWords, rateTable } from '../../core/limits/limit-tables.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import { noteHeard, type ServiceApp } from '../../core/endpoint/service-app.ts';
import type { Messages } from './messages.ts';
import { contentOf, withSender } from './payload.ts';
import { json, pathIds } from '../../core/endpoint/openapi.ts';
import { requireOwn, type OwnDeviceDeps } from './own-device.ts';

const ofResource = pathIds('resource_id');

/** So many swarms of a user may each have all bytes of messages. */
const swarmsWithAllBytes = Math.floor((quotaTable.swarms.most * messageLimits.sharedBytes) / messageLimits.keptBytes);

/** Extension: resources send messages. */
export function sendRoutes(app: ServiceApp, deps: OwnDeviceDeps & { messages: Pick<Messages, 'send'> }): void {
  const endpoint = endpointsOf(app, { tag: 'Messages', isExtension: true });
  endpoint(
    {
      operation: 'sendMessage',
      method: 'post',
      path: '/resources/{resource_id}/messages',
      summary: 'Send a message',
      description:
        'To every swarm in which the resource is a producer, or both, at that moment; or to one of them. The response is ' +
        `sent when the message is on disk. It is kept for ${messageLimits.keptHours} hours, as one of ` +
        `${inDigits(messageLimits.kept)} of a swarm and of ${messageLimits.keptBytes / 1024 ** 2} MiB (less if its owner has more ` +
        `than ${swarmsWithAllBytes} swarms): beyond that, the resources that have sent most lose their oldest ones. The last ones of ` +
        `up to ${inDigits(messageLimits.keptOfMembers)} members are kept longer, with as many bytes again. With \`message_expiry_interval\`, it is delivered only within that time. A resource sends up to ` +
        `${rateInWords(rateTable.device, 'messages')}. A swarm takes ${rateInWords(rateTable.swarm_messages, 'messages')}, of each ` +
        `user ${inDigits(rateTable.swarm_messages_of_user.most)}: a message to all swarms ` +
        'is not sent to those that take no more now, which `rate_exceeded` names, and is refused with 429 if none does. To repeat a request whose response was lost, send ' +
        'a `message_id`: `Idempotency-Key` is ignored here.',
      params: ofResource,
      headers: z.object({}),
      body: messageSend,
      responses: {
        201: {
          description: 'Sent',
          headers: {
            'retry-after': {
              description: 'The seconds to wait, if `rate_exceeded` names swarms',
              schema: { type: 'string' as const },
            },
          },
          content: json(messageSent),
        },
      },
      fails: [403, 404, 507],
    },
    async (c, { userId, params: { resource_id: id }, receiveBody, reply }) => {
      const body = await receiveBody();
      await requireOwn(c, { deps, id, operation: 'sendMessage' });
      const { faults, payload, properties } = contentOf(body);
      const checked = body.check(faults);
      const bySession = c.env.session && { properties: withSender(properties, userId) };
      const { sent, retrySeconds } = await deps.messages.send({
        userId,
        id,
        body: { ...checked, payload, properties, ...bySession },
      });
      noteHeard(c, id);
      return reply(sent, sent.rate_exceeded && { 'retry-after': String(retrySeconds) });
    },
  );
}
