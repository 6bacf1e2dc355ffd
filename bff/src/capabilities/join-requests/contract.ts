/** Users ask to join a swarm. */
import type { z } from '@hono/zod-openapi';
import type { Declaration } from '../../core/declaration.ts';
import type { MemberRole } from '../../core/contract/swarms.schema.ts';
import type { BlockedUser, joinRequestEvent, joinRequestWithdrawnEvent } from './join-requests.schema.ts';
import { allButOwner, anyKey, ownerAndManagers } from '../../core/endpoint/rules.ts';
import { list } from '../../core/limits/job-rows.ts';
import { inChunks, point, write, written } from '../../core/limits/operation-rows.ts';
import type { ActionSwarm, NamedItem } from '../actions/action-types.ts';
import { requestLimits } from './limits.ts';

export type { BlockedUser, JoinRequest, JoinRequestSend } from './join-requests.schema.ts';

declare module '../actions/action-types.ts' {
  interface ActionKinds {
    /** The user asks to join a public swarm with own devices. */
    ask_to_join: {
      about: {
        swarm: ActionSwarm;
        resource_type: MemberRole;
        message?: string;
        ends_at?: string;
        shown_by_links?: true;
      };
      item: NamedItem;
    };
  }
}

declare module '../../core/contract/events.schema.ts' {
  interface ServiceEvents {
    joinRequest: z.infer<typeof joinRequestEvent | typeof joinRequestWithdrawnEvent>;
  }
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/swarms/:id/blocked-users': BlockedUser[];
  }
}

export const joinRequestsRows = {
  policy: {
    askToJoin: { rule: allButOwner, scope: 'all' },
    listJoinRequests: { rule: ownerAndManagers, scope: 'read' },
    answerJoinRequest: { rule: ownerAndManagers, scope: 'all' },
    listOwnJoinRequests: { rule: anyKey, scope: 'read' },
    withdrawJoinRequest: { rule: anyKey, scope: 'all' },
    listBlockedUsers: { rule: ownerAndManagers, scope: 'read' },
    blockUser: { rule: ownerAndManagers, scope: 'all' },
    unblockUser: { rule: ownerAndManagers, scope: 'all' },
  },
  limits: {
    askToJoin: written,
    listJoinRequests: inChunks,
    answerJoinRequest: written,
    listOwnJoinRequests: inChunks,
    withdrawJoinRequest: write,
    listBlockedUsers: { ...point, rows: requestLimits.blocked },
    blockUser: write,
    unblockUser: write,
  },
  jobs: {
    listJoinRequests: list,
    listOwnJoinRequests: list,
  },
  problems: {
    'join_request.ended': [409, 'The time for which this was asked is over'],
    'join_request.already_answered': [409, 'This request has already been answered'],
    'join_request.exists': [409, 'The resource has an open request to join this swarm'],
    'join_request.not_accepted': [409, 'This swarm does not accept requests to join'],
    'join_request.not_found': [404, 'Not found, or you do not have access'],
    'join_request.too_many': [409, 'The limit of requests to join is reached'],
    'join_request.too_soon': [409, 'A request for this resource was rejected less than a day ago'],
  },
  stored: [
    ['user', 'open requests to join', requestLimits.open],
    ['swarm', 'blocked users', requestLimits.blocked],
  ],
} as const satisfies Declaration;
