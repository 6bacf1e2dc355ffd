/** The keys under which acts on swarms wait to be sent (ui/waiting.ts). */
export const destroySwarmKey = (id: string) => `destroy-swarm:${id}`;
export const endKey = ({ swarm_id, resource_id }: { swarm_id: string; resource_id: string }) =>
  `end-membership:${swarm_id}:${resource_id}`;
