import type { Row, Statement } from '../storage/statement.ts';
import { publishRejected, rejectOpenOf } from './invitations.store.ts';
import type { News, Publish } from './news.store.ts';

/** What ends with a user: for the write that deletes them, and for after it. */
export interface Ending {
  statements: Statement[];
  /** Gets the results of those statements, once they are committed. */
  tell(rows: readonly Row[][]): void;
}

/**
 * Everything of theirs is destroyed as if one by one, in a number of statements that does not grow. Others are told
 * what they could see; whoever goes is told nothing any more.
 */
export function endingOf({ userId, at, publish }: { userId: string; at: string; publish: Publish }): Ending {
  const ofUser = (sql: string): Statement => ({ sql, params: [userId] });
  const ownSwarms = '(SELECT id FROM swarms WHERE user_id = ?)';
  const asked = [
    // who could see what, before anything of it is gone
    ofUser(`SELECT swarm_id, json_group_array(user_id) AS users FROM swarm_viewers
            WHERE swarm_id IN (SELECT swarm_id FROM swarm_viewers WHERE user_id = ?) GROUP BY swarm_id`),
    ofUser(`SELECT m.resource_id AS id, json_group_array(m.swarm_id) AS swarms
            FROM resources r JOIN memberships m ON m.resource_id = r.id WHERE r.user_id = ? GROUP BY m.resource_id`),
    ofUser(`SELECT id, (SELECT json_group_array(DISTINCT "to") FROM invitations WHERE swarm_id = swarms.id) AS invited
            FROM swarms WHERE user_id = ?`),
    rejectOpenOf({ userId, at }),
    ofUser(`DELETE FROM invitations WHERE swarm_id IN ${ownSwarms} AND status = 'new'
            RETURNING id, swarm_id, resource_id, "to"`),
  ];
  const taken = [
    ofUser(`UPDATE swarms SET version = version + 1
            WHERE id IN (SELECT swarm_id FROM swarm_viewers WHERE user_id = ?)`),
    ofUser('DELETE FROM memberships WHERE resource_id IN (SELECT id FROM resources WHERE user_id = ?)'),
    ofUser(`DELETE FROM memberships WHERE swarm_id IN ${ownSwarms}`),
    ofUser('DELETE FROM resources WHERE user_id = ?'),
    ofUser('DELETE FROM swarms WHERE user_id = ?'),
    ofUser('DELETE FROM idempotency WHERE user_id = ?'),
    ofUser('DELETE FROM api_keys WHERE user_id = ?'),
  ];

  return {
    statements: [...asked, ...taken],
    tell(rows) {
      const [viewers, resources, swarms, rejected, withdrawn] = rows as [Row[], Row[], Row[], Row[], Row[]];
      const viewersOf = new Map(viewers.map(({ swarm_id, users }) => [swarm_id, users]));
      const seenIn = (ids: string[]) => `{${ids.map((id) => `"${id}":${viewersOf.get(id) as string}`).join(',')}}`;
      /** Most are in the same swarms as others: one text serves them all. */
      const texts = new Map<string, string>();
      const seenInAll = (list: string) => {
        const text = texts.get(list) ?? seenIn(JSON.parse(list) as string[]);
        texts.set(list, text);
        return text;
      };

      publish(
        (resources as { id: string; swarms: string }[]).map(({ id, swarms }): News => {
          const data = JSON.stringify({ id });
          return { type: 'resource.destroyed', to: [], seenIn: seenInAll(swarms), owner: userId, data, about: id };
        }),
      );
      publishRejected({ rows: rejected, publish });
      publish(
        (withdrawn as Record<'id' | 'swarm_id' | 'resource_id' | 'to', string>[]).map(({ to, ...ids }): News => {
          return { type: 'invitation.withdrawn', to: [to], data: JSON.stringify(ids) };
        }),
      );
      publish(
        (swarms as { id: string; invited: string }[]).map(({ id, invited }): News => {
          const to = JSON.parse(invited) as string[];
          return { type: 'swarm.destroyed', to, seenIn: seenIn([id]), data: JSON.stringify({ id }) };
        }),
      );
    },
  };
}
