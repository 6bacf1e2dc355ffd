import type { InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';

const several = '';
const known = new WeakMap<InvitationPage, ReadonlyMap<string, string>>();

/** The id of the device of each name, or `several`. Pages are immutable, so this is computed once. */
function devicesByName(page: InvitationPage): ReadonlyMap<string, string> {
  const cached = known.get(page);
  if (cached) return cached;
  const ids = new Map<string, string>();
  for (const { device, resource_id } of page.items) {
    if (device) ids.set(device.name, (ids.get(device.name) ?? resource_id) === resource_id ? resource_id : several);
  }
  known.set(page, ids);
  return ids;
}

/** Whether another device in these pages has the same name. */
export const isNamesake = (pages: readonly InvitationPage[], { device, resource_id }: InvitationItem): boolean =>
  device !== null && pages.some((page) => (devicesByName(page).get(device.name) ?? resource_id) !== resource_id);
