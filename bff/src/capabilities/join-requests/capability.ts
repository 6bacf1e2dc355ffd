import { z } from '@hono/zod-openapi';
import type { Core, Definition } from '../../core/capability.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { validBody } from '../../core/sent-body.ts';
import { description, end, named, ofSwarm, role, shown } from '../actions/kinds/kind.ts';
import { joinRequestRoutes } from './join-requests.routes.ts';
import { joinRequestEvent, joinRequestWithdrawnEvent } from './join-requests.schema.ts';
import { createJoinRequests } from './join-requests.store.ts';
import { createJoinRequestUseCases } from './join-requests.use-cases.ts';

export const joinRequests = {
  create(core: Core) {
    const { stores, baseUrl } = core;
    const requests = createJoinRequests(core);
    const useCases = createJoinRequestUseCases({ ...core, ...stores, requests });
    return {
      service: (app: ServiceApp) => joinRequestRoutes(app, { useCases, requests, swarms: stores.swarms, baseUrl }),
      events: [
        { schema: joinRequestEvent, read: ({ record_id }) => requests.find(record_id!) },
        {
          schema: joinRequestWithdrawnEvent,
          read: ({ record_id: id, swarm_id, resource_id }) => ({ id, swarm_id, resource_id }),
        },
      ],
      actionKinds: {
        ask_to_join: {
          about: z.strictObject({
            ...ofSwarm,
            resource_type: role,
            message: description.exactOptional(),
            ...end,
            ...shown,
          }),
          item: named,
          run: ({ userId, about: { swarm, ...asked }, item: { id } }) =>
            useCases.askToJoin({ userId, swarmId: swarm.id, sentBody: validBody({ ...asked, resource_id: id }) }),
          doneIfRepeated: ['join_request.exists', 'membership.exists'],
        },
      },
      requests: {
        answer: ({ userId, id, status }) => useCases.answerJoinRequest({ userId, id, sentBody: validBody({ status }) }),
        withdraw: useCases.withdrawJoinRequest,
        notFound: 'join_request.not_found',
      },
    };
  },
} satisfies Definition;
