import { limits, notInLabel, visible } from '@swarmdeck/bff/field-rules';

interface InviteLinkOptions {
  origin: string;
  to: string;
  resource_id: string;
  label?: string;
}

/**
 * The link that a device's owner gives to the owner of a swarm. It opens Invite with the form filled in. The label is what
 * its owner calls the device; empty for none.
 */
export function inviteLink({ origin, to, resource_id, label = '' }: InviteLinkOptions): string {
  return `${origin}/invite?${new URLSearchParams({ to, resource: resource_id, ...(label && { label }) })}`;
}

/** The text on one line and not too long, as the service accepts a label; empty if nothing in it is visible. */
export function labelOf(text: string): string {
  const line = text.replaceAll(new RegExp(notInLabel, 'gv'), ' ').replaceAll(/\s+/g, ' ').trim();
  return visible.test(line) ? Array.from(line).slice(0, limits.nameLength).join('') : '';
}
