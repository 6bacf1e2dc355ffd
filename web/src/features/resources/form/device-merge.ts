/**
 * Three-way merge of a device, field by field. `base` is what the form was filled from, `mine` what
 * it holds now, `theirs` what the server has by now. A position is one field: half of mine and half
 * of theirs would be a place where nobody put the device.
 */
import type { MachineType, Position, Resource, ResourceUpdate } from '@swarmdeck/bff/contract';

export interface DeviceValues {
  name: string;
  machine_type: MachineType;
  description: string | undefined;
  position: Position | undefined;
}
export type DeviceField = keyof DeviceValues;
export const deviceFields: readonly DeviceField[] = ['name', 'machine_type', 'description', 'position'];

/** A field changed on both sides, to different values. */
type Conflict = {
  [F in DeviceField]: { field: F; mine: DeviceValues[F]; theirs: DeviceValues[F]; before: DeviceValues[F] };
}[DeviceField];

export interface Merge {
  /** Mine where only I changed, theirs everywhere else; conflicts hold mine until they are decided. */
  merged: DeviceValues;
  /** Fields only they changed: taken without asking. */
  kept: DeviceField[];
  conflicts: Conflict[];
}

export function valuesOf(resource: Resource): DeviceValues {
  const { name, machine_type, description, position } = resource;
  return { name, machine_type, description, position };
}

export function sameValue<F extends DeviceField>(field: F, a: DeviceValues, b: DeviceValues): boolean {
  if (field !== 'position') return a[field] === b[field];
  return a.position?.latitude === b.position?.latitude && a.position?.longitude === b.position?.longitude;
}

export function changedFields({ base, mine }: { base: DeviceValues; mine: DeviceValues }): DeviceField[] {
  return deviceFields.filter((field) => !sameValue(field, base, mine));
}

/** The body of the update: only what changed, `null` for what was cleared. */
export function toUpdate(values: { base: DeviceValues; mine: DeviceValues }): ResourceUpdate {
  const changed = changedFields(values);
  return Object.fromEntries(changed.map((field) => [field, values.mine[field] ?? null]));
}

export function merge(versions: { base: DeviceValues; mine: DeviceValues; theirs: DeviceValues }): Merge {
  const { base, mine, theirs } = versions;
  const byThem = changedFields({ base, mine: theirs });
  const contested = changedFields({ base, mine }).filter(
    (field) => byThem.includes(field) && !sameValue(field, mine, theirs),
  );
  const merged: DeviceValues = { ...theirs };
  for (const field of changedFields({ base, mine })) take({ into: merged, from: mine, field });
  return {
    merged,
    kept: byThem.filter((field) => sameValue(field, base, mine)),
    conflicts: contested.map(
      (field) => ({ field, mine: mine[field], theirs: theirs[field], before: base[field] }) as Conflict,
    ),
  };
}

/** Copies one field. */
export function take<F extends DeviceField>({
  into,
  from,
  field,
}: {
  into: DeviceValues;
  from: DeviceValues;
  field: F;
}) {
  into[field] = from[field];
}
