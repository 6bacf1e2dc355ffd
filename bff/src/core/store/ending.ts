/**
 * What ends soon, and whom to tell: all members of a user in a swarm with the same end, or a watcher of a swarm. The resource: that of a
 * single member.
 */
export interface Ending {
  ends_at: string;
  kind: 'member.ending' | 'swarm.watcher_ending';
  swarm_id: string;
  /** The owner of the members, or the watcher. */
  about: string;
  /** Who is told. */
  user_id: string;
  amount: number | null;
  resource_id: string | null;
  resource_name: string | null;
}
