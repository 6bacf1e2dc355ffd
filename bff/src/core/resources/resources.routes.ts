import { resource, resourceCreate, resourceUpdate, swarm, type ResourceUpdate } from '../../contract.ts';
import { deviceFiles } from './device-export.ts';
import { byAccept, prefers } from '../http/accept.ts';
import { noneMatch } from '../http/etag.ts';
import { bodyOf } from '../http/streamed-body.ts';
import type { Requester } from '../limits/fair-queue.ts';
import type { SentBody } from '../sent-body.ts';
import { alsoAs, created, ifMatch, pathIds, readList, readRecord, record, etagHeader } from '../endpoint/openapi.ts';
import { endpointsOf, jsonType, notChanged } from '../endpoint/endpoint.ts';
import { etagOf, expectedVersion } from '../endpoint/versions.ts';
import { outOfScope } from '../endpoint/policy.ts';
import { noteHeard, noteUnused, type ServiceApp, type ServiceContext } from '../endpoint/service-app.ts';
import { cachedListResponse, listResponse, type ListCache } from '../endpoint/list-responses.ts';
import { tooInaccurate } from './position-reports.ts';
import { feature, featureCollection, fileChunks } from './resource-files.ts';
import type { Resources, StoredResource } from './resources.store.ts';
import type { ResourceUseCases } from './resources.use-cases.ts';
import type { Stores } from '../stores.ts';

/** The fields that a key with the scope `position` may send. */
const ofPosition: ReadonlySet<string> = new Set(['position', 'positioned_at', 'accuracy']);

const idParameter = pathIds('resource_id');
const geoJson = deviceFiles.geojson.type;
const wantsGeoJson = (c: ServiceContext) => prefers(c.req.header('accept'), geoJson);
const geoJsonType = { ...jsonType, ...byAccept, 'content-type': geoJson };
/** The tag of a version as GeoJSON: a tag is of one representation. */
const geoJsonTag = (etag: string) => etag.replace(/"$/, '-geojson"');

export function resourceRoutes(
  app: ServiceApp,
  {
    useCases,
    resources,
    swarms,
    listCache,
    baseUrl,
  }: Pick<Stores, 'resources' | 'swarms'> & {
    useCases: ResourceUseCases;
    listCache: ListCache;
    baseUrl: string;
  },
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
      const resource = await useCases.createResource({ userId, sentBody: await receiveBody(), once });
      return reply(resource, { location: `${baseUrl}/resources/${resource.id}`, etag: etagOf(1) });
    },
  );

  endpoint(
    {
      operation: 'listResources',
      method: 'get',
      path: '/resources',
      summary: 'List the resources of the caller',
      description:
        'The complete list, oldest first. Its weak `ETag` changes with every change of the list. With `Accept: ' +
        'application/geo+json`, it is a FeatureCollection, as in an export.',
      responses: alsoAs(geoJson, featureCollection, readList('All resources of the caller', resource)),
    },
    (c, { userId, requester }) =>
      wantsGeoJson(c)
        ? geoJsonList(c, { listCache, requester, resources })
        : cachedListResponse(c, {
            listCache,
            userId,
            ...byAccept,
            read: () => fileChunks({ format: 'json', chunks: resources.list(requester, 'json') }),
          }),
  );

  endpoint(
    {
      operation: 'getResource',
      method: 'get',
      path: '/resources/{resource_id}',
      summary: 'Get a resource',
      description:
        'One’s own, or one that shares a swarm with the caller. With `Accept: application/geo+json`, it is a Feature, as in an ' +
        'export. Its `ETag` is not for `If-Match`.',
      params: idParameter,
      responses: alsoAs(geoJson, feature, readRecord('The resource', resource)),
      fails: [404],
    },
    async (c, { userId, params: { resource_id: id }, reply }) => {
      const { record, version } = await resources.require({ userId, id, operation: 'getResource' });
      const isGeoJson = wantsGeoJson(c);
      const etag = isGeoJson ? geoJsonTag(etagOf(version)) : etagOf(version);
      if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag, byAccept);
      return isGeoJson
        ? new Response(deviceFiles.geojson.write(record), { headers: { ...geoJsonType, etag } })
        : reply(record, { etag, ...byAccept });
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
        'else was sent. With `If-Match` (`*`: any version), it does: then it is an edit of what the caller knows. A key with the ' +
        'scope `position` may send only `position`, `positioned_at` and `accuracy`.',
      params: idParameter,
      headers: ifMatch,
      body: resourceUpdate,
      responses: record('The updated resource', resource),
      fails: [403, 404, 412, 507],
    },
    async (c, { userId, params: { resource_id: id }, receiveBody, reply }) => {
      const { record, version } = await updateResource(c, useCases, { userId, id, sentBody: await receiveBody() });
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
    async (c, { userId, requester, params: { resource_id: id } }) => {
      await resources.require({ userId, id, operation: 'listSwarmsOfResource' });
      const isAlone = c.env.caller.resourceId !== undefined;
      return listResponse(c, swarms.listOfResource({ resourceId: id, requester, isAlone }));
    },
  );
}

async function updateResource(
  c: ServiceContext,
  useCases: Pick<ResourceUseCases, 'updateResource'>,
  { userId, id, sentBody }: { userId: string; id: string; sentBody: SentBody<ResourceUpdate> },
): Promise<StoredResource> {
  const { caller, session } = c.env;
  const { scope } = caller;
  if (scope === 'position' && !Object.keys(sentBody.fields).every((name) => ofPosition.has(name)))
    throw outOfScope(scope);
  const updated = await useCases.updateResource({
    userId,
    id,
    sentBody,
    versionOf: (current) => expectedVersion(c, current, 'resource.changed'),
    isEdit: c.req.header('if-match') !== undefined,
    // What a browser changes is kept as an action.
    keyId: session ? undefined : caller.keyId,
    onEdited: session?.onEdited,
    isOfDevice: true,
    onInaccurate: (report) => noteUnused(c, tooInaccurate(report, 'updateResource')),
  });
  if (sentBody.fields['position']) noteHeard(c, id);
  return updated;
}

/** The list as GeoJSON. It is not cached. */
async function geoJsonList(
  c: ServiceContext,
  {
    listCache,
    requester,
    resources,
  }: { listCache: ListCache; requester: Requester; resources: Pick<Resources, 'list'> },
): Promise<Response> {
  await listCache.catchUp();
  const etag = geoJsonTag(listCache.etag(requester.user));
  if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag, byAccept);
  const chunks = fileChunks({ format: 'geojson', chunks: resources.list(requester, 'geojson') });
  return c.body(await bodyOf(c, chunks, c.env.report), 200, { ...geoJsonType, etag });
}
