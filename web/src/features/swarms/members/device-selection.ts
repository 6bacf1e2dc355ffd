/** The selected devices: some by id, or all that match the search except some. */
export type DeviceSelection = { kind: 'some'; ids: ReadonlySet<string> } | { kind: 'all'; except: ReadonlySet<string> };

export const noneSelected: DeviceSelection = { kind: 'some', ids: new Set() };
export const allSelected: DeviceSelection = { kind: 'all', except: new Set() };

export function isSelected(selection: DeviceSelection, id: string): boolean {
  return selection.kind === 'some' ? selection.ids.has(id) : !selection.except.has(id);
}

export function toggleSelected(selection: DeviceSelection, id: string): DeviceSelection {
  const next = new Set(selection.kind === 'some' ? selection.ids : selection.except);
  if (!next.delete(id)) next.add(id);
  return selection.kind === 'some' ? { kind: 'some', ids: next } : { kind: 'all', except: next };
}

/** `available`: the number of matching devices that can be added. */
export function countSelected(selection: DeviceSelection, available: number): number {
  return selection.kind === 'some' ? selection.ids.size : Math.max(0, available - selection.except.size);
}
