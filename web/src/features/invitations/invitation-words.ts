import type { InvitationItem } from '@swarmdeck/bff/contract';
import { invitations } from '../../text/en.invitations.ts';
import { localize } from '../../text/text.ts';

/** Words of invitations; they load with the first page that shows one. */
export const words = localize(invitations);

/** What a device is called as far as one may know. */
export function deviceName({ device, resource_id, status }: InvitationItem): string {
  return device?.name ?? (status === 'new' ? resource_id : words.destroyed_device);
}
