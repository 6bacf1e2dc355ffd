import { listOf, sql, type Statement } from './statement.ts';

/**
 * The version of a swarm, which its ETag shows, counts the changes of its members too. These statements come before those that read or
 * change members, because they lock the swarm.
 */
export const incrementVersion = (swarmId: string): Statement =>
  sql`UPDATE swarms SET version = version + 1 WHERE id = ${swarmId}`;

/** Increments the versions of all swarms that have one of these resources. */
export const incrementVersionsOf = (resourceIds: readonly string[]): Statement =>
  sql`UPDATE swarms SET version = version + 1 WHERE id IN (SELECT swarm_id FROM memberships WHERE resource_id IN (${listOf(resourceIds)}))`;
