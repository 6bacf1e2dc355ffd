import type { InvitationItem } from '../../contract.ts';
import type { Cursor } from '../../core/http/query.ts';
import type { Reads } from '../caller.ts';
import { invitationMatchesOf, staleBefore } from './matches.store.ts';
import { readInvitations } from './page.store.ts';
import { pageSize, readInvitationQuery, scopeOf } from './query.ts';

/** The invitations of the user that match the query of the inbox, in pages. @throws `query.invalid` */
export async function* matchingInvitations({
  db,
  user,
  params,
  now,
}: {
  db: Reads;
  user: string;
  params: URLSearchParams;
  now: () => Date;
}): AsyncGenerator<InvitationItem[], void> {
  const query = readInvitationQuery(params);
  const matches = await invitationMatchesOf({
    db,
    scope: scopeOf(query, user),
    filters: query.filters,
    staleBefore: staleBefore(now()),
  });
  let cursor: Cursor | undefined;
  do {
    const { items, next } = await readInvitations({ db, matches, page: { cursor, limit: pageSize } });
    yield items;
    const read = next === null ? undefined : readInvitationQuery(new URLSearchParams({ cursor: next }));
    cursor = read?.cursor;
  } while (cursor);
}
