/**
 * What users do to records. An endpoint and a kind of action are two callers of the same function: it checks the policy
 * at that moment, and throws the problems of the endpoint.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Resource, ResourceUpdate } from '../contract.ts';
import { Problem } from '../http/problem.ts';
import { refuseReadOnly } from './endpoint.ts';
import type { Resources, StoredResource } from './resources.store.ts';

/** The fields that the service sets. */
export const readOnlyOf = { resource: ['id', 'user_id', 'created_at', 'modified_at'] };

/** The fields of a resource that its owner can change; null if it has no value. */
export type ResourceFields = Pick<ResourceUpdate, 'name' | 'machine_type' | 'description' | 'position'>;

export type Operations = ReturnType<typeof createOperations>;

export function createOperations({ resources }: { resources: Resources }) {
  const findOwn = (userId: string, id: string) => resources.require({ userId, id, operation: 'updateResource' });

  return {
    /**
     * `found`: the resource, if the caller has just read it. `versionOf` returns the version that the write expects;
     * undefined for any. `skipsIfEqual`: a resource that would stay as it is keeps its version.
     */
    async updateResource(request: {
      userId: string;
      id: string;
      body: ResourceUpdate;
      found?: StoredResource;
      versionOf?: (found: StoredResource) => number | undefined;
      skipsIfEqual?: boolean;
    }): Promise<StoredResource> {
      const { userId, id, body, versionOf, skipsIfEqual } = request;
      const { id: _id, user_id: _user, created_at: _created, modified_at: modifiedAt, ...change } = body;
      // Checked again if the row changes between the read and the write.
      for (let found = request.found ?? (await findOwn(userId, id)); ; found = await findOwn(userId, id)) {
        if (skipsIfEqual && !differs(found.record, change)) return found;
        refuseReadOnly({ body, stored: found.record, fields: readOnlyOf.resource });
        const version = versionOf?.(found);
        const written = await resources.update({ id, userId, change, version, modifiedAt });
        if (written) return written;
      }
    },

    /** The values that these changes will replace; null if a resource is not the user's. */
    async fieldsBefore({ userId, changes }: { userId: string; changes: { id: string; change: ResourceFields }[] }) {
      const found = await resources.findAll(changes.map(({ id }) => id));
      return changes.map(({ id, change }) => {
        const record = found.get(id);
        return record?.user_id === userId ? pick(fieldsOf(record), change) : null;
      });
    },

    /**
     * Changes fields that have the value of `after` back to that of `before`.
     * @throws `action.changed_since` if others have neither, and `resource.not_found`
     */
    async restoreFields(request: { userId: string; id: string; after: ResourceFields; before: ResourceFields }) {
      const { userId, id, after, before } = request;
      for (;;) {
        const { record, version } = await findOwn(userId, id);
        const isLike = (fields: ResourceFields) => (name: FieldName) => !differs(record, { [name]: fields[name] });
        const changed = fieldNames.filter((name) => before[name] !== undefined && !isLike(before)(name));
        const [left, other] = [changed.filter(isLike(after)), changed.filter((name) => !isLike(after)(name))];
        const change = Object.fromEntries(left.map((name) => [name, before[name]]));
        if (left.length > 0 && !(await resources.update({ id, userId, change, version, modifiedAt: undefined })))
          continue;
        if (other.length > 0) throw new Problem('action.changed_since');
        return;
      }
    },
  };
}

const fieldNames = ['name', 'machine_type', 'description', 'position'] as const;
type FieldName = (typeof fieldNames)[number];

const fieldsOf = ({ name, machine_type, description, position }: Resource): ResourceFields => ({
  ...{ name, machine_type, description: description ?? null, position: position ?? null },
});

/** The fields that `change` has, of `fields`. */
const pick = (fields: ResourceFields, change: ResourceFields): ResourceFields =>
  Object.fromEntries(fieldNames.flatMap((name) => (change[name] === undefined ? [] : [[name, fields[name]]])));

export function differs(record: Resource, change: ResourceFields): boolean {
  const stored = fieldsOf(record);
  return fieldNames.some((name) => change[name] !== undefined && !isDeepStrictEqual(change[name], stored[name]));
}
