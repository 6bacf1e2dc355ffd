import type { Core, Definition, ServiceParts } from '../../core/capability.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { ownTracksRoutes } from './owntracks.routes.ts';
import { createOwnTracks } from './owntracks.store.ts';

export const owntracks = {
  create: ({ db, queue }: Core) => ({
    service(app: ServiceApp, { messages, useCases, devices }: ServiceParts) {
      const ownTracks = createOwnTracks({ db, queue, messages });
      ownTracksRoutes(app, { ownTracks, useCases, send: messages.send, said: devices.said });
    },
  }),
} satisfies Definition;
