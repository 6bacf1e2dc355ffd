import type { Core, Definition } from '../../core/capability.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { managerRoutes } from './managers.routes.ts';
import { managerEvent } from './managers.schema.ts';
import { createManagers } from './managers.store.ts';
import { createManagerUseCases } from './managers.use-cases.ts';

export const managers = {
  create(core: Core) {
    const { baseUrl } = core;
    const { swarms } = core.stores;
    const managers = createManagers(core);
    const useCases = createManagerUseCases({ ...core, swarms, managers });
    return {
      service: (app: ServiceApp) => managerRoutes(app, { useCases, managers, swarms, baseUrl }),
      events: [
        {
          schema: managerEvent,
          read: async ({ swarm_id, recipient: user_id }) =>
            (await managers.find({ swarmId: swarm_id!, userId: user_id! })) ?? { swarm_id, user_id },
        },
      ],
    };
  },
} satisfies Definition;
