import type { InvitationItem } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';

/** The name of an invited device, or its id if the name is not visible to the user. */
export function deviceName({ device, resource_id, status }: InvitationItem): string {
  return device?.name ?? (status === 'new' ? resource_id : t.invitations.deleted_device);
}
