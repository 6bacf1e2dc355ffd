/** The devices of a user: imported, changed, deleted. */
import { z } from '@hono/zod-openapi';
import { expectedEveryOfResource, resource, resourceCreate, resourceUpdate } from '../../../contract.ts';
import { machineTypes } from '../../../core/limits/field-rules.ts';
import { Problem } from '../../../core/problem.ts';
import { validBody } from '../../../core/sent-body.ts';
import { description, line, named, never, nothing, text, type KindsOf, type UseCases } from './kind.ts';

const timestamp = resource.shape.created_at;

export const deviceKinds = ({
  useCases,
  newId,
}: {
  useCases: UseCases;
  newId: () => string;
}): KindsOf<'import' | 'update' | 'edit' | 'delete'> => ({
  import: {
    about: z.strictObject({ file: text, hash: text }),
    item: z.union([
      z.strictObject({ line, name: text, create: resourceCreate }),
      z.strictObject({ line, name: text, id: text, update: resourceUpdate, changed_at: timestamp.exactOptional() }),
    ]),
    withIds: (item) => ('create' in item ? { ...item, id: newId() } : item),
    run: ({ userId, item }) =>
      'create' in item
        ? useCases.createOnce({ userId, id: item.id!, body: item.create })
        : useCases.updateResource({
            userId,
            id: item.id,
            sentBody: validBody(item.update),
            skipsIfEqual: true,
            versionOf: ({ record, version }) => {
              const changedAt = record.modified_at ?? record.created_at;
              if (item.changed_at === undefined || changedAt <= item.changed_at) return version;
              throw new Problem('resource.changed', { detail: `was changed after the export, at ${changedAt}` });
            },
          }),
    async before({ userId, items }) {
      const updates = items.map((item) =>
        'create' in item ? { id: '', change: {} } : { id: item.id, change: item.update },
      );
      const fields = await useCases.fieldsBefore({ userId, changes: updates });
      return items.map((item, index) => ('create' in item ? {} : (fields[index] ?? null)));
    },
    inverse: ({ userId, item, before, mayBeGone }) =>
      'create' in item
        ? useCases.destroyUnchanged({ userId, id: item.id!, mayBeGone })
        : useCases.restoreFields({ userId, id: item.id, after: item.update, before }),
    keepsResult: true,
  },
  update: {
    about: z.strictObject({
      machine_type: z.enum(machineTypes).exactOptional(),
      description: description.nullable().exactOptional(),
      expected_every: expectedEveryOfResource.nullable().exactOptional(),
    }),
    item: named,
    run: ({ userId, about, item: { id } }) =>
      useCases.updateResource({ userId, id, sentBody: validBody(about), skipsIfEqual: true }),
    before: ({ userId, about, items }) =>
      useCases.fieldsBefore({ userId, changes: items.map(({ id }) => ({ id, change: about })) }),
    inverse: ({ userId, about, item: { id }, before }) => useCases.restoreFields({ userId, id, after: about, before }),
  },
  edit: {
    about: never,
    item: never,
    // It is stored after it was executed.
    run: async () => {},
    inverse: ({ userId, about, item: { id }, before }) => useCases.restoreFields({ userId, id, after: about, before }),
  },
  delete: {
    about: nothing,
    item: named,
    run: ({ userId, item: { id } }) => useCases.destroyResource({ userId, id }),
    doneIfRepeated: ['resource.not_found'],
    before: ({ userId, items }) => useCases.resourcesBefore({ userId, ids: items.map(({ id }) => id) }),
    inverse: ({ userId, before }) => useCases.restoreResource({ userId, before }),
  },
});
