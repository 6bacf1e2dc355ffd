import type { Core, Definition } from '../../core/capability.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { createManagers } from '../managers/managers.store.ts';
import { handoverRoutes } from './handovers.routes.ts';
import { handoverEvent } from './handovers.schema.ts';
import { createHandovers } from './handovers.store.ts';
import { createHandoverUseCases } from './handovers.use-cases.ts';
import { swarmHandoverRoutes } from './swarm-handovers.routes.ts';
import { createSwarmHandovers } from './swarm-handovers.store.ts';
import { createSwarmHandoverUseCases } from './swarm-handovers.use-cases.ts';

export const handovers = {
  needs: ['managers'],
  create(core: Core) {
    const { resources, swarms } = core.stores;
    const handovers = createHandovers(core);
    const swarmHandovers = createSwarmHandovers(core);
    const managers = createManagers(core);
    return {
      service(app: ServiceApp) {
        handoverRoutes(app, { useCases: createHandoverUseCases({ ...core, resources, handovers }) });
        swarmHandoverRoutes(app, {
          useCases: createSwarmHandoverUseCases({ ...core, swarms, managers, handovers, swarmHandovers }),
        });
      },
      events: [{ schema: handoverEvent, read: ({ resource_id: id }) => ({ id }) }],
    };
  },
} satisfies Definition;
