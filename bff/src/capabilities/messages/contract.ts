/** Messages of devices to swarms. */
import type { Declaration } from '../../core/declaration.ts';
import type { Message, MessagePage } from './messages.schema.ts';
import { members, resourceOwner } from '../../core/endpoint/rules.ts';
import { limits, messageLimits } from '../../core/limits/field-rules.ts';
import { few, list, purge } from '../../core/limits/job-rows.ts';
import { inReader, point, write } from '../../core/limits/operation-rows.ts';
import { messagesMemory } from './limits.ts';

const MiB = 1024 * 1024;

export type {
  Message,
  MessageEncoding,
  MessagePage,
  MessageProperties,
  MessageSend,
  MessageSent,
  MessagesEvent,
} from './messages.schema.ts';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/resources/:id/messages/sent': Message[];
    '/api/swarms/:id/messages': MessagePage;
  }
}

export const messagesRows = {
  policy: {
    sendMessage: { rule: resourceOwner, scope: 'all', ofDevice: true },
    receiveMessages: { rule: resourceOwner, scope: 'all', ofDevice: true },
    sendHeartbeat: { rule: resourceOwner, scope: 'position', ofDevice: true },
    listSentMessages: { rule: resourceOwner, scope: 'read' },
    listMessages: { rule: members, scope: 'read' },
    exportMessages: { rule: members, scope: 'read' },
  },
  limits: {
    // An array may be the payload.
    sendMessage: { ...write, body: { bytes: limits.bodyBytes, items: messageLimits.payloadBytes } },
    // One for each swarm of the device.
    receiveMessages: { ...point, rows: 1000, isStreamed: true },
    sendHeartbeat: point,
    listSentMessages: inReader,
    listMessages: inReader,
    exportMessages: { ...inReader, isStreamed: true },
  },
  rates: {
    user_messages: {
      who: 'user',
      what: 'messages of the user’s devices, one for each swarm',
      most: 2000,
      per: 'second',
      burst: 2000,
    },
    swarm_messages: { who: 'swarm', what: 'messages to it', most: 2000, per: 'second', burst: 2000 },
    // A quarter of it, so that no member takes all.
    swarm_messages_of_user: {
      who: 'swarm and user',
      what: 'messages of one user to it',
      most: 500,
      per: 'second',
      burst: 500,
    },
    // A message of 16 KiB to one swarm takes 0.15 ms of the writer.
    message_bytes_of_user: {
      who: 'user',
      what: 'bytes of these messages',
      most: 2 * MiB,
      per: 'second',
      burst: 4 * MiB,
      isInBytes: true,
    },
  },
  jobs: {
    messagesPurge: { ...purge, in: ['capabilities/messages/trim.store.ts'] },
    exportMessages: { ...list, KiB: 4096 },
    /** What was missed is read in short ranges, because a client may read slowly: as a stream, as lines and as an array. */
    receiveMessages: { rows: 100, KiB: 256, statements: few.statements },
  },
  problems: {
    'message.no_space': [507, 'The messages of all users have reached the limit of this server. Nothing was stored'],
    'message.not_producer': [403, 'The resource may not send to this swarm'],
  },
  memory: messagesMemory,
} as const satisfies Declaration;
