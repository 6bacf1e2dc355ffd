import type { Hono } from 'hono';
import type { InboxCount, InboxSummary, InvitationItem, InvitationPage } from '../../contract.ts';
import { paramsOf } from '../../core/http/query.ts';
import { Problem } from '../../core/problem.ts';
import { noStore, replyLong, type ViewOptions } from '../caller.ts';
import { countInbox } from './counts.store.ts';
import { invitationMatchesOf, staleBefore, type Scope } from './matches.store.ts';
import { readInvitation, readPage } from './page.store.ts';
import { readInvitationQuery, scopeOf } from './query.ts';
import { summarise } from './summary.store.ts';

/**
 * `GET /inbox`: an InvitationPage of the received invitations, or with `box=sent` of the sent ones. Query: the
 * contract's InvitationFilters, `cursor` (`next` of the previous page), and `limit` from 0 to 1000. `/inbox/count`: an
 * InboxCount. `/inbox/summary`: an InboxSummary of all matches. `/inbox/:id`: an InvitationItem from either box.
 * 400 `query.invalid`, 404 `invitation.not_found`.
 */
export function inboxRoutes(app: Hono, { now, requesterOf }: Omit<ViewOptions, 'requireSwarm'>): void {
  app.get('/inbox', async (c) => {
    const { user, db } = requesterOf(c);
    const query = readInvitationQuery(paramsOf(c.req));
    const page = await readPage({ db, scope: scopeOf(query, user), query, at: now() });
    return replyLong<InvitationPage>(c, page);
  });

  app.get('/inbox/count', async (c) => {
    const { user, db } = requesterOf(c);
    const at = now();
    const counts = await countInbox({ db, user, staleBefore: staleBefore(at) });
    return c.json<InboxCount>({ ...counts, at: at.toISOString() }, 200, noStore);
  });

  app.get('/inbox/summary', async (c) => {
    const { user, db } = requesterOf(c);
    const query = readInvitationQuery(paramsOf(c.req));
    const at = now();
    const matches = await invitationMatchesOf({
      db,
      scope: scopeOf(query, user),
      filters: query.filters,
      staleBefore: staleBefore(at),
    });
    return replyLong<InboxSummary>(c, { ...(await summarise({ db, matches })), at: at.toISOString() });
  });

  app.get('/inbox/:invitation_id', async (c) => {
    const { user, db } = requesterOf(c);
    const id = c.req.param('invitation_id');
    const readIn = (scope: Scope) => readInvitation({ db, scope, id, staleBefore: staleBefore(now()) });
    const found = (await readIn({ received: user })) ?? (await readIn({ sent: user }));
    if (!found) throw new Problem('invitation.not_found');
    return c.json<InvitationItem>(found, 200, noStore);
  });
}
