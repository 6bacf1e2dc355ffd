import { neverExpected } from '../limits/field-rules.ts';
import { isOpen } from './visibility.ts';

/**
 * SQL: the time, in seconds, within which the resource `r` is expected to be heard. Its own, or else the shortest of its swarms; null if there
 * is none, or if its owner wants it to be never expected.
 */
export const expectedEvery = `nullif(coalesce(r.expected_every, (SELECT min(s.expected_every) FROM memberships m
  JOIN swarms s ON s.id = m.swarm_id WHERE m.resource_id = r.id AND ${isOpen('m')})), ${neverExpected})`;
