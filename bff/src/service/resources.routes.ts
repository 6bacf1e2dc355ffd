import { z } from '@hono/zod-openapi';
import { resource, resourceCreate, resourceUpdate, swarm } from '../contract.ts';
import type { Resource, ResourceUpdate } from '../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { Problem } from '../http/problem.ts';
import type { Access } from './access.ts';
import { created, idempotencyKey, ifMatch, json, readList, readRecord, record, tagged } from './openapi-responses.ts';
import { endpoint, jsonType, notChanged } from './endpoint.ts';
import type { ServiceApp, ServiceContext } from './endpoint.ts';
import { etagOf, expectedVersion, noneMatch } from './etag.ts';
import type { Idempotency } from './idempotency.store.ts';
import { answerKeptList, answerList } from './list-answer.ts';
import type { ListVersions } from './list-versions.ts';
import { readOnlyFaults, refuseReadOnly } from './read-only-fields.ts';
import { newResource } from './resources.store.ts';
import type { Resources, StoredResource } from './resources.store.ts';
import type { Swarms } from './swarms.store.ts';

const readOnly = ['id', 'user_id', 'created_at', 'modified_at'];
const idParameter = z.object({ resource_id: z.string() });

export function resourceRoutes(
  app: ServiceApp,
  {
    resources,
    swarms,
    access,
    versions,
    idempotency,
    baseUrl,
    now,
    newId,
  }: {
    resources: Resources;
    swarms: Swarms;
    access: Access;
    versions: ListVersions;
    idempotency: Idempotency;
    baseUrl: string;
    now: () => Date;
    newId: () => string;
  },
): void {
  endpoint(
    app,
    {
      operation: 'createResource',
      method: 'post',
      path: '/resources',
      summary: 'Create a resource',
      request: {
        headers: idempotencyKey,
        body: { content: json(resourceCreate), required: true },
      },
      responses: created('The created resource', resource, tagged),
      fails: [409, 413, 415, 507],
    },
    async (c) => {
      const { userId } = c.env.caller;
      const { body, text } = await readJsonBody(c, resourceCreate);
      const answer = await idempotency.once({
        userId,
        key: c.req.header('idempotency-key'),
        request: `createResource ${text}`,
        act: async (claim) => {
          const made = newResource({ id: newId(), userId, at: now(), body });
          if (!(await resources.create({ userId, resource: made, claim }))) throw new Problem('key.invalid');
          return JSON.stringify(made);
        },
      });
      const { id } = JSON.parse(answer) as Resource;
      return c.body(answer, 201, { ...jsonType, location: `${baseUrl}/resources/${id}`, etag: etagOf(1) });
    },
  );

  endpoint(
    app,
    {
      operation: 'listResources',
      method: 'get',
      path: '/resources',
      summary: 'List the resources of the caller',
      description: 'The complete list, oldest first. Its weak `ETag` changes with every change of the list.',
      responses: readList('All resources of the caller', resource),
    },
    (c) => {
      const { userId } = c.env.caller;
      return answerKeptList(c, { versions, userId, read: () => resources.list(userId) });
    },
  );

  endpoint(
    app,
    {
      operation: 'getResource',
      method: 'get',
      path: '/resources/{resource_id}',
      summary: 'Get a resource',
      request: { params: idParameter },
      responses: readRecord('The resource', resource),
      fails: [404],
    },
    async (c) => {
      const found = await access.resource(c, 'getResource');
      const etag = etagOf(found.version);
      if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
      return c.json(found.record, 200, { ...jsonType, etag });
    },
  );

  endpoint(
    app,
    {
      operation: 'updateResource',
      method: 'put',
      path: '/resources/{resource_id}',
      summary: 'Update a resource',
      description: 'Absent fields are unchanged; `null` clears `description` or `position`.',
      request: { params: idParameter, headers: ifMatch, body: { content: json(resourceUpdate), required: true } },
      responses: record('The updated resource', resource),
      fails: [403, 404, 412, 413, 415, 507],
    },
    async (c) => {
      await access.resource(c, 'updateResource');
      const { body } = await readJsonBody(c, resourceUpdate, async (sent) => {
        const { record: stored } = await access.resource(c, 'updateResource');
        return readOnlyFaults({ body: sent, stored, fields: readOnly });
      });
      const written = await update(c, body);
      return c.json(written.record, 200, { ...jsonType, etag: etagOf(written.version) });
    },
  );

  /** Checks against the current row, and again if it changes between the check and the write. */
  async function update(c: ServiceContext, body: ResourceUpdate): Promise<StoredResource> {
    const { userId } = c.env.caller;
    const { id: _id, user_id: _user, created_at: _created, modified_at, ...change } = body;
    for (;;) {
      const found = await access.resource(c, 'updateResource');
      refuseReadOnly({ body, stored: found.record, fields: readOnly });
      const version = expected(c, found);
      const { id } = found.record;
      const written = await resources.update({ id, userId, change, version, modifiedAt: modified_at });
      if (written) return written;
    }
  }

  endpoint(
    app,
    {
      operation: 'destroyResource',
      method: 'delete',
      path: '/resources/{resource_id}',
      summary: 'Destroy a resource',
      description: 'Removes it from the account and from all of its swarms.',
      request: { params: idParameter, headers: ifMatch },
      responses: { 204: { description: 'Destroyed' } },
      fails: [403, 404, 412, 507],
    },
    async (c) => {
      const { userId } = c.env.caller;
      for (;;) {
        const found = await access.resource(c, 'destroyResource');
        const version = expected(c, found);
        if (await resources.destroy({ id: found.record.id, userId, version })) return c.body(null, 204);
      }
    },
  );

  endpoint(
    app,
    {
      operation: 'listSwarmsOfResource',
      method: 'get',
      path: '/resources/{resource_id}/swarms',
      summary: 'List the swarms of a resource',
      request: { params: idParameter },
      responses: readList('The swarms it is a member of', swarm),
      fails: [403, 404],
    },
    async (c) => answerList(c, swarms.listOfResource((await access.resource(c, 'listSwarmsOfResource')).record.id)),
  );
}

function expected(c: ServiceContext, { version }: StoredResource): number | undefined {
  return expectedVersion({ header: c.req.header('if-match'), version, changed: 'resource.changed' });
}
