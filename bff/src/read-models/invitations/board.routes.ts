import type { Hono } from 'hono';
import type { InvitationPage } from '../../contract.ts';
import { paramsOf } from '../../core/http/query.ts';
import { replyLong, type ViewOptions } from '../caller.ts';
import { readPage } from './page.store.ts';
import { readInvitationQuery } from './query.ts';

/**
 * `GET /swarms/:swarm_id/board`: an InvitationPage of the invitations of the swarm, for its owner and managers. Query: that of
 * the inbox. 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`.
 */
export function boardRoutes(app: Hono, { now, requesterOf, requireSwarm }: ViewOptions): void {
  app.get('/swarms/:swarm_id/board', async (c) => {
    const { user, db } = requesterOf(c);
    const id = c.req.param('swarm_id');
    await requireSwarm({ user, id, operation: 'listSentInvitations' });
    const query = readInvitationQuery(paramsOf(c.req));
    const page = await readPage({ db, scope: { board: id, viewer: user }, query, at: now() });
    return replyLong<InvitationPage>(c, page);
  });
}
