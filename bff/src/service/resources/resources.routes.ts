import { resource, resourceCreate, resourceUpdate, swarm } from '../../contract.ts';
import { noneMatch } from '../../http/etag.ts';
import { created, ifMatch, pathIds, readList, readRecord, record, etagHeader } from '../endpoint/openapi.ts';
import { endpointsOf, etagOf, expectedVersion, notChanged, type ServiceApp } from '../endpoint/endpoint.ts';
import { cachedListResponse, listResponse, type ListCache } from '../endpoint/list-responses.ts';
import type { StoredResource } from './resources.store.ts';
import type { ResourceUseCases } from './resources.use-cases.ts';
import type { Stores } from '../stores.ts';

const idParameter = pathIds('resource_id');

export function resourceRoutes(
  app: ServiceApp,
  {
    useCases,
    resources,
    swarms,
    listCache,
    baseUrl,
  }: Pick<Stores, 'resources' | 'swarms'> & { useCases: ResourceUseCases; listCache: ListCache; baseUrl: string },
): void {
  const endpoint = endpointsOf(app, { tag: 'Resources' });
  endpoint(
    {
      operation: 'createResource',
      method: 'post',
      path: '/resources',
      summary: 'Create a resource',
      description: 'It belongs to the caller, and is in no swarm.',
      body: resourceCreate,
      responses: created('The created resource', resource, etagHeader),
      fails: [409, 507],
    },
    async (_c, { userId, receiveBody, once, reply }) => {
      const resource = await useCases.createResource({ userId, sent: await receiveBody(), once });
      return reply(resource, { location: `${baseUrl}/resources/${resource.id}`, etag: etagOf(1) });
    },
  );

  endpoint(
    {
      operation: 'listResources',
      method: 'get',
      path: '/resources',
      summary: 'List the resources of the caller',
      description: 'The complete list, oldest first. Its weak `ETag` changes with every change of the list.',
      responses: readList('All resources of the caller', resource),
    },
    (c, { userId }) => cachedListResponse(c, { listCache, userId, read: () => resources.list(userId) }),
  );

  endpoint(
    {
      operation: 'getResource',
      method: 'get',
      path: '/resources/{resource_id}',
      summary: 'Get a resource',
      description: 'One’s own, or one that shares a swarm with the caller.',
      params: idParameter,
      responses: readRecord('The resource', resource),
      fails: [404],
    },
    async (c, { userId, params: { resource_id: id }, reply }) => {
      const found = await resources.require({ userId, id, operation: 'getResource' });
      const etag = etagOf(found.version);
      if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
      return reply(found.record, { etag });
    },
  );

  endpoint(
    {
      operation: 'updateResource',
      method: 'put',
      path: '/resources/{resource_id}',
      summary: 'Update a resource',
      description:
        'Absent fields are unchanged; `null` clears `description` or `position`. A `position` with an older `positioned_at` than ' +
        'the stored one does not replace it: the response has the stored record, whose version is unchanged if nothing ' +
        'else was sent.',
      params: idParameter,
      headers: ifMatch,
      body: resourceUpdate,
      responses: record('The updated resource', resource),
      fails: [403, 404, 412, 507],
    },
    async (c, { userId, params: { resource_id: id }, receiveBody, reply }) => {
      const sent = await receiveBody();
      const versionOf = (current: StoredResource) => expectedVersion(c, current, 'resource.changed');
      const { record, version } = await useCases.updateResource({ userId, id, sent, versionOf });
      return reply(record, { etag: etagOf(version) });
    },
  );

  endpoint(
    {
      operation: 'destroyResource',
      method: 'delete',
      path: '/resources/{resource_id}',
      summary: 'Destroy a resource',
      description: 'Removes it from the account and from all of its swarms.',
      params: idParameter,
      headers: ifMatch,
      responses: { 204: { description: 'Destroyed' } },
      fails: [403, 404, 412, 507],
    },
    async (c, { userId, params: { resource_id: id } }) => {
      const versionOf = (found: StoredResource) => expectedVersion(c, found, 'resource.changed');
      await useCases.destroyResource({ userId, id, versionOf });
    },
  );

  endpoint(
    {
      operation: 'listSwarmsOfResource',
      method: 'get',
      path: '/resources/{resource_id}/swarms',
      summary: 'List the swarms of a resource',
      description:
        'Only for its owner. Each swarm has all of its members; for the key of a device, only the device itself.',
      params: idParameter,
      responses: readList('The swarms it is a member of', swarm),
      fails: [403, 404],
    },
    async (c, { userId, params: { resource_id: id } }) => {
      await resources.require({ userId, id, operation: 'listSwarmsOfResource' });
      const isAlone = c.env.caller.resourceId !== undefined;
      return listResponse(c, swarms.listOfResource({ resourceId: id, userId, isAlone }));
    },
  );
}
