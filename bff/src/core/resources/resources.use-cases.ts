/** What users do to resources. See `use-cases.ts`. */
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { MemberRole, Resource, ResourceChange, ResourceCreate, ResourceUpdate } from '../../contract.ts';
import type { AttachedSession, EditedRecord } from '../http/request-bindings.ts';
import { recordedFields } from '../limits/field-rules.ts';
import { countRetries } from '../limits/retries.ts';
import type { SentBody } from '../sent-body.ts';
import { Problem } from '../problem.ts';
import {
  changeOf,
  fieldNames,
  fieldsOf,
  newResource,
  type FieldChange,
  type FieldName,
  type ResourceFields,
} from '../store/resource-fields.ts';
import { StorageError } from '../store/statement.ts';
import { createdOnce, withoutKey, type CreatedRecord, type Once } from '../endpoint/idempotency.store.ts';
import { readOnlyFaults } from '../endpoint/read-only-fields.ts';
import { isOver } from '../members/consent-ends.ts';
import { reportOf, verdictOf, type PositionReport } from './position-reports.ts';
import type { Resources, StoredResource } from './resources.store.ts';
import type { Stores } from '../stores.ts';

/** The number of resources whose roles are read at once: each may be in many swarms. */
const rolesReadAtOnce = 20;

/** What is stored of a resource before it is deleted. */
export interface DeletedResource {
  record: Resource;
  /** The roles in swarms of the same owner. Those without an end have none. */
  roles: {
    swarm_id: string;
    resource_type: MemberRole;
    ends_at?: string | null;
    ends_at_most?: string | null;
    shown_by_links?: number;
  }[];
}

export type ResourceUseCases = ReturnType<typeof createResourceUseCases>;

export function createResourceUseCases({
  resources,
  members,
  insertPoint,
  newId,
  now,
}: Pick<Stores, 'resources' | 'members'> & {
  /** Puts a position of the past into the track of the resource, if it is kept. */
  insertPoint: (point: { id: string; userId: string; at: string; position: PositionReport['fix'] }) => Promise<void>;
  newId: () => string;
  now: () => Date;
}) {
  const toUpdate = (userId: string, id: string) => resources.require({ userId, id, operation: 'updateResource' });

  async function create(record: Parameters<Resources['create']>[0]): Promise<CreatedRecord> {
    const created = await resources.create(record);
    if (!created) throw new Problem('key.invalid');
    return created;
  }

  /** Creates a resource with this id, unless the user has one. */
  async function createOnce(request: { id: string; userId: string; body: ResourceCreate; created_at?: string }) {
    await create(request).catch(async (error: unknown) => {
      const isConflict = error instanceof StorageError && error.kind === 'constraint';
      if (!isConflict || (await resources.find(request.id))?.record.user_id !== request.userId) throw error;
    });
  }

  /** A position of the past is no position of the resource any more, but a point of its track. */
  async function addToTrack({ record }: StoredResource, { at, fix }: PositionReport): Promise<void> {
    if (record.keep_track) await insertPoint({ id: record.id, userId: record.user_id, at: at!, position: fix });
  }

  return {
    createOnce,

    async createResource(request: {
      userId: string;
      sentBody: SentBody<ResourceCreate>;
      once?: Once;
    }): Promise<Resource> {
      const { userId, sentBody, once = withoutKey } = request;
      const body = sentBody.check();
      const { id, at } = await createdOnce(once, sentBody, (claim) => create({ id: newId(), userId, body, claim }));
      return newResource({ id, userId, body, created_at: at });
    },

    /**
     * `skipsIfEqual`: a resource that would stay as it is keeps its version, and a position that would stay as it is its time
     * and accuracy. A resource that is sent nothing but a position that does not replace its own keeps its version, too.
     * `isEdit`: a position replaces the stored one, whatever their times are. `onEdited` is called after the write, but not for
     * the report of a position without `isEdit`. `keyId`: the key of a program, not of a browser.
     * `isOfDevice`: it is what a device sends, whose clock may be wrong. `onInaccurate` is called if a position is not used because of its accuracy.
     */
    async updateResource(request: {
      userId: string;
      id: string;
      sentBody: SentBody<ResourceUpdate>;
      versionOf?: (found: StoredResource) => number | undefined;
      skipsIfEqual?: boolean;
      isEdit?: boolean;
      keyId?: string | undefined;
      onEdited?: AttachedSession['onEdited'] | undefined;
      isOfDevice?: boolean;
      onInaccurate?: (report: PositionReport) => void;
    }): Promise<StoredResource> {
      const { userId, id, sentBody, versionOf, skipsIfEqual, isEdit = false, keyId, onEdited } = request;
      const { isOfDevice, onInaccurate } = request;
      for (const retry = countRetries(); ; retry()) {
        const found = await toUpdate(userId, id);
        if (skipsIfEqual && !differs(found.record, changeOf(sentBody.fields))) return found;
        const body = sentBody.check(readOnlyFaults('resource', sentBody, found.record));
        const change = changeOf(body);
        if (skipsIfEqual && !differs(found.record, { position: change.position })) delete change.position;
        const version = versionOf?.(found);
        const sentReport = reportOf(change.position, now(), isOfDevice && !isEdit);
        const verdict = sentReport && verdictOf(sentReport, found);
        const report = verdict === 'replaces' ? sentReport : undefined;
        if (sentReport && (report || isEdit)) change.position = sentReport.fix;
        else if (sentReport) {
          if (verdict === 'past') await addToTrack(found, sentReport);
          else onInaccurate?.(sentReport);
          delete change.position;
          if (Object.keys(change).length === 0) return found;
        }
        const { modified_at: modifiedAt } = body;
        const loggedKey = keyId !== undefined && isLogged(found.record, change) ? keyId : undefined;
        const written = await resources.update({ id, userId, found, change, report, version, modifiedAt, loggedKey });
        if (!written) continue;
        const edited = onEdited && (isEdit || !report) ? editOf(found.record, change) : undefined;
        if (edited) await onEdited?.(edited);
        return written;
      }
    },

    async destroyResource(request: {
      userId: string;
      id: string;
      versionOf?: (found: StoredResource) => number | undefined;
    }) {
      const { userId, id, versionOf } = request;
      for (const retry = countRetries(); ; retry()) {
        const found = await resources.require({ userId, id, operation: 'destroyResource' });
        if (await resources.destroy({ id, userId, version: versionOf?.(found) })) return;
      }
    },

    /** The values that each change will replace. Null if it changes nothing, or not a resource of the user. */
    async fieldsBefore({ userId, changes }: { userId: string; changes: { id: string; change: ResourceChange }[] }) {
      const found = await resources.findAll(changes.map(({ id }) => id));
      return changes.map(({ id, change }) => {
        const record = found.get(id);
        const fields = changeOf(change);
        return record?.user_id === userId && differs(record, fields) ? pick(fieldsOf(record), fields) : null;
      });
    },

    /**
     * Changes fields that have the value of `after` back to that of `before`.
     * @throws `action.changed_since` if one has neither, `action.partly_undone` if others were changed back
     */
    async restoreFields(request: { userId: string; id: string; after: ResourceChange; before: FieldChange }) {
      const { userId, id, before } = request;
      const after = changeOf(request.after);
      for (const retry = countRetries(); ; retry()) {
        const found = await toUpdate(userId, id);
        const { record, version } = found;
        const isLike = (fields: FieldChange) => (name: FieldName) => !differs(record, { [name]: fields[name] });
        const changed = fieldNames.filter((name) => !isLike(before)(name));
        const left = changed.filter(isLike(after));
        const change = Object.fromEntries(left.map((name) => [name, before[name]]));
        const isDone =
          left.length === 0 || (await resources.update({ id, userId, found, change, version, modifiedAt: undefined }));
        if (isDone && left.length < changed.length) throw keptFields(left, changed);
        if (isDone) return;
      }
    },

    /**
     * Deletes a resource that nobody has changed since it was created, and that is not in use: it is in no swarm and has no key.
     * @throws `action.changed_since`, or `resource.not_found` if it was deleted, unless it `mayBeGone`, or is another user's now
     */
    async destroyUnchanged({ userId, id, mayBeGone }: { userId: string; id: string; mayBeGone: boolean }) {
      const found = await resources.find(id);
      if (!found && mayBeGone) return;
      if (found?.record.user_id !== userId) throw new Problem('resource.not_found');
      if (found.version !== 1 || !(await resources.destroy({ id, userId, version: 1, isUnused: true }))) {
        throw new Problem('action.changed_since');
      }
    },

    async resourcesBefore({ userId, ids }: { userId: string; ids: string[] }): Promise<(DeletedResource | null)[]> {
      const found = await resources.findAll(ids);
      const roles = new Map<string, DeletedResource['roles']>();
      for (let from = 0; from < ids.length; from += rolesReadAtOnce) {
        if (from > 0) await nextLoopTick();
        const some = await members.rolesInOwn({ userId, ids: ids.slice(from, from + rolesReadAtOnce) });
        for (const [id, all] of Map.groupBy(some, ({ resource_id }) => resource_id))
          roles.set(
            id,
            all.map(({ resource_id: _id, ...role }) => role),
          );
      }
      return ids.map((id) => {
        const record = found.get(id);
        if (record?.user_id !== userId) return null;
        return { record, roles: roles.get(id) ?? [] };
      });
    },

    /** Creates a deleted resource again, with its id and its roles that have not ended, in those of the swarms that still exist. */
    async restoreResource({ userId, before: { record, roles } }: { userId: string; before: DeletedResource }) {
      const { id, user_id: _user, created_at, modified_at: _modified, ...body } = record;
      await createOnce({ id, userId, body, created_at });
      for (const role of roles) {
        const { swarm_id: swarmId, resource_type, ...terms } = role;
        if (isOver(terms.ends_at ?? undefined, now())) continue;
        await members.add({ swarmId, resource_id: id, resource_type, terms, userId, claim: () => [] });
      }
    },
  };
}

/** The fields that `change` has, of `fields`. */
const pick = (fields: ResourceFields, change: FieldChange): FieldChange =>
  Object.fromEntries(fieldNames.flatMap((name) => (change[name] === undefined ? [] : [[name, fields[name]]])));

/** The fields that `change` has replaced, with their new and their old values. Undefined if it has replaced none. */
function editOf(record: Resource, change: FieldChange): EditedRecord | undefined {
  const changed = fieldNames.filter((name) => change[name] !== undefined && differs(record, { [name]: change[name] }));
  if (changed.length === 0) return undefined;
  const after: FieldChange = Object.fromEntries(changed.map((name) => [name, change[name]]));
  const before = pick(fieldsOf(record), after);
  const begins = recordedFields.filter((name) => after[name] && !before[name]);
  return { id: record.id, name: after.name ?? record.name, begins, after, before };
}

/** Tells of an undo which of the `changed` fields it has put back. The others were changed since then, and are kept. */
function keptFields(putBack: readonly FieldName[], changed: readonly FieldName[]): Problem {
  const kept = changed.filter((name) => !putBack.includes(name));
  const errors = [
    ...putBack.map((name) => ({ pointer: `/${name}`, code: 'put_back', detail: 'has its earlier value again' })),
    ...kept.map((name) => ({ pointer: `/${name}`, code: 'changed_since', detail: 'was changed after the action' })),
  ];
  const left = `kept, since it was changed after the action: ${kept.join(', ')}`;
  return putBack.length > 0
    ? new Problem('action.partly_undone', { detail: `Put back: ${putBack.join(', ')}; ${left}`, errors })
    : new Problem('action.changed_since', { detail: left, errors });
}

/** Whether it changes what the log has no other entry for: it has renames, and no positions, which devices report all the time. */
function isLogged(record: Resource, { name: _name, position: _position, ...others }: FieldChange): boolean {
  return differs(record, others);
}

/** What `change` does not say about a position is not compared: a file may only have its coordinates. */
function differs(record: Resource, change: { [Name in FieldName]?: unknown }): boolean {
  const names = fieldNames.filter((name) => change[name] !== undefined);
  if (names.length === 0) return false;
  const stored = fieldsOf(record);
  return names.some((name) => {
    const value = change[name];
    const isFix = name === 'position' && value !== null && stored.position !== null;
    return !isDeepStrictEqual(isFix ? { ...stored.position, ...value } : value, stored[name]);
  });
}
