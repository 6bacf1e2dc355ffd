import { refusals } from '../../contract.ts';
import type { Database } from '../store/database.ts';
import { readRefusals } from '../store/presence-row.ts';
import { endpointsOf } from '../endpoint/endpoint.ts';
import type { ServiceApp } from '../endpoint/service-app.ts';
import { json, pathIds } from '../endpoint/openapi.ts';
import type { Resources } from './resources.store.ts';

/** Extension: what a resource was refused. */
export function refusalRoutes(
  app: ServiceApp,
  { db, resources }: { db: Pick<Database, 'read'>; resources: Pick<Resources, 'require'> },
): void {
  const endpoint = endpointsOf(app, { tag: 'Resources', isExtension: true });
  endpoint(
    {
      operation: 'getRefusals',
      method: 'get',
      path: '/resources/{resource_id}/refusals',
      summary: 'Get what was refused of a resource',
      description:
        'For its owner and its own keys: why its requests were refused since one of the same kind was last accepted, to within a ' +
        'minute. MQTT 3.1.1 has no answer that says so.',
      params: pathIds('resource_id'),
      responses: { 200: { description: 'What was refused', content: json(refusals) } },
      fails: [404],
    },
    async (_c, { userId, params: { resource_id: id }, reply }) => {
      await resources.require({ userId, id, operation: 'getRefusals' });
      return reply(await readRefusals(db, id));
    },
  );
}
