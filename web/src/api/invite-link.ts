/** The link that a device's owner gives to the owner of a swarm. It opens Invite with the form filled in. */
export function inviteLink({ origin, to, resource_id }: { origin: string; to: string; resource_id: string }): string {
  return `${origin}/invite?${new URLSearchParams({ to, resource: resource_id })}`;
}
