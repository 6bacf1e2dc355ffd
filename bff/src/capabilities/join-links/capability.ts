import { z } from '@hono/zod-openapi';
import type { Core, Definition } from '../../core/capability.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { validBody } from '../../core/sent-body.ts';
import { end, named, ofSwarm, shown, text } from '../actions/kinds/kind.ts';
import { joinLinkRoutes } from './join-links.routes.ts';
import { joinLinkEvent } from './join-links.schema.ts';
import { createJoinLinks } from './join-links.store.ts';
import { createJoinLinkUseCases } from './join-links.use-cases.ts';
import { previewRoutes } from './preview.routes.ts';

export const joinLinks = {
  create(core: Core) {
    const { stores, baseUrl } = core;
    const links = createJoinLinks({ ...core, pageUrl: new URL('/join/', baseUrl).href });
    const useCases = createJoinLinkUseCases({ ...core, ...stores, links });
    return {
      service: (app: ServiceApp) => joinLinkRoutes(app, { useCases, links, swarms: stores.swarms, baseUrl }),
      auth: previewRoutes({ useCases, requireAttempt: core.requireAttempt }),
      opensSwarm: async (opened: { userId: string; code: string }) => (await useCases.openJoinLink(opened)).swarm.id,
      events: [{ schema: joinLinkEvent, read: ({ record_id }) => links.read(record_id!) }],
      actionKinds: {
        join: {
          about: z.strictObject({ ...ofSwarm, link: text, pass: text, ...end, ...shown }),
          item: named,
          run: ({ userId, about: { swarm: _swarm, link: linkId, ...joining }, item: { id } }) =>
            useCases.joinByLink({ userId, linkId, sentBody: validBody({ ...joining, resource_id: id }) }),
          doneIfRepeated: ['membership.exists'],
          keepsResult: true,
        },
      },
    };
  },
} satisfies Definition;
