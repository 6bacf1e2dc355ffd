import type { InvitationSend } from '../contract.ts';
import { quotaExceeded } from '../limits/quotas.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import type { Statement, Value } from '../store/statement.ts';
import type { InvitationRow } from '../store/tables.ts';
import { invitationActivity } from './activity.store.ts';
import type { Claim } from './idempotency.store.ts';
import { arrayOf, chunks } from './json-body-stream.ts';
import { chunkSql, readChunk } from './list-chunks.store.ts';
import type { Cursor } from './list-chunks.store.ts';
import { gainRole, jsonOf, newVersion } from './members.store.ts';
import { withinQuota, withinSize } from './usage.store.ts';

/** An invitation as the spec's JSON: fields without a value are absent. */
const json = `'{"id":"' || id || '","from":"' || "from" || '","to":"' || "to" || '","swarm_id":"' || swarm_id
  || '","resource_id":"' || resource_id || '","resource_type":"' || resource_type || '"'
  || iif(description IS NULL, '', ',"description":' || json_quote(description))
  || ',"sent_at":"' || sent_at || '","status":"' || status || '"'
  || iif(accepted_at IS NULL, '', ',"accepted_at":"' || accepted_at || '"')
  || iif(rejected_at IS NULL, '', ',"rejected_at":"' || rejected_at || '"') || '}'`;
const list = (where: string) => chunkSql({ json, time: 'created_at', id: 'id', from: 'invitations', where });
const lists = { swarm: list('swarm_id = $3'), resource: list('resource_id = $3'), user: list('"to" = $3') };

type SendResult = { json: string } | 'swarm is gone' | 'no such resource of theirs' | 'holds that role';

export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations({ db, quotas, now }: { db: Database; quotas: Quotas; now: () => Date }) {
  const listBy = (sql: string, key: string) =>
    arrayOf(chunks<Cursor>((after) => readChunk({ db, sql, params: [key], after })));

  return {
    ofSwarm: (swarmId: string) => listBy(lists.swarm, swarmId),
    ofResource: (resourceId: string) => listBy(lists.resource, resourceId),
    ofUser: (userId: string) => listBy(lists.user, userId),

    async jsonOf(id: string): Promise<string | undefined> {
      const [found] = await db.read<{ json: string }>({
        sql: `SELECT ${json} AS json FROM invitations WHERE id = $1`,
        params: [id],
      });
      return found?.json;
    },

    async find({ id, resourceId }: { id: string; resourceId: string }) {
      const [found] = await db.read<Pick<InvitationRow, 'id' | 'to' | 'swarm_id' | 'status'> & { json: string }>({
        sql: `SELECT id, "to", swarm_id, status, ${json} AS json FROM invitations WHERE id = $1 AND resource_id = $2`,
        params: [id, resourceId],
      });
      return found;
    },

    async findSent({ id, swarmId }: { id: string; swarmId: string }) {
      const select = 'SELECT status FROM invitations WHERE id = $1 AND swarm_id = $2';
      const [found] = await db.read<Pick<InvitationRow, 'status'>>({ sql: select, params: [id, swarmId] });
      return found;
    },

    /**
     * One open invitation for a resource, swarm and role: sending it again renews time and text of the one there is.
     * Whether the user is there or the resource is theirs is not told apart.
     */
    async send(options: {
      id: string;
      from: string;
      swarmId: string;
      body: InvitationSend;
      claim: Claim;
    }): Promise<SendResult> {
      const { id, from, swarmId, body, claim } = options;
      const { to, resource_id, resource_type, description } = body;
      const at = now().toISOString();
      const params: Value[] = [id, from, to, swarmId, resource_id, resource_type, description ?? null, at];
      const written = await db.write([
        { sql: 'SELECT 1 FROM swarms WHERE id = $1 AND user_id = $2', params: [swarmId, from], expect: 'row' },
        { sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2', params: [resource_id, to], expect: 'row' },
        {
          sql: `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, description, sent_at,
                                         status, created_at)
                SELECT $1, $2, $3, id, $5, $6, $7, max($8, created_at), 'new', max($8, created_at)
                FROM swarms
                WHERE id = $4 AND NOT EXISTS (SELECT 1 FROM memberships WHERE swarm_id = $4 AND resource_id = $5
                                              AND resource_type IN ($6, 'both'))
                ON CONFLICT (swarm_id, resource_id, resource_type) WHERE status = 'new'
                DO UPDATE SET sent_at = max(sent_at, excluded.sent_at), description = excluded.description
                RETURNING ${json} AS json`,
          params,
          expect: 'row',
        },
        withinQuota({ userId: from, kind: 'invitations', allowed: quotas.invitations }),
        invitationActivity({ kind: 'invitation.sent', actor: from, at, id }),
        ...claim({
          sql: `SELECT ${json} FROM invitations
                WHERE swarm_id = $1 AND resource_id = $2 AND resource_type = $3 AND status = 'new'`,
          params: [swarmId, resource_id, resource_type],
        }),
      ]);
      if (!written.ok) {
        if (written.failed === 3) throw quotaExceeded('invitations', quotas);
        return (['swarm is gone', 'no such resource of theirs', 'holds that role'] as const)[written.failed]!;
      }
      return { json: jsonOf(written.rows[2]) };
    },

    /** The answer and the membership are one write. Undefined: it is not new, or not there (any more). */
    async answer({
      invitation,
      status,
    }: {
      invitation: Pick<InvitationRow, 'id' | 'to' | 'swarm_id'>;
      status: 'accept' | 'reject';
    }): Promise<string | undefined> {
      const at = now().toISOString();
      const { id, to, swarm_id } = invitation;
      const state = status === 'accept' ? 'accepted' : 'rejected';
      const answered: Statement = {
        sql: `UPDATE invitations SET status = '${state}', ${state}_at = max(sent_at, $1)
              WHERE id = $2 AND status = 'new' RETURNING ${json} AS json`,
        params: [at, id],
        expect: 'row',
      };
      const joined: Statement[] = [
        {
          sql: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since)
                SELECT i.swarm_id, r.id, i.resource_type, max(i.accepted_at, r.created_at)
                FROM invitations i JOIN resources r ON r.id = i.resource_id WHERE i.id = $1 ${gainRole}`,
          params: [id],
          expect: 'row',
        },
        withinSize({ swarmId: swarm_id, allowed: quotas.members }),
        newVersion(swarm_id),
      ];
      const noted = invitationActivity({ kind: `invitation.${state}`, actor: to, at, id });
      const written = await db.write([answered, ...(status === 'accept' ? joined : []), noted]);
      if (!written.ok) {
        if (written.failed === 2) throw quotaExceeded('members', quotas);
        return undefined;
      }
      return jsonOf(written.rows[0]);
    },

    /** Takes an open invitation back. False: it is not open (any more). */
    async withdraw({ id, swarmId, actor }: { id: string; swarmId: string; actor: string }): Promise<boolean> {
      const written = await db.write([
        invitationActivity({ kind: 'invitation.withdrawn', actor, at: now().toISOString(), id }),
        {
          sql: `DELETE FROM invitations WHERE id = $1 AND swarm_id = $2 AND status = 'new'`,
          params: [id, swarmId],
          expect: 'row',
        },
      ]);
      return written.ok;
    },
  };
}
