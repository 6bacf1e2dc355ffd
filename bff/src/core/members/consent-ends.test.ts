import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../store/database.ts';
import { openTestDatabase } from '../store/store.fixture.ts';
import { endsOfMember, type JoinedBy } from './consent-ends.ts';

let database: AsyncDisposable & { db: Database };
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

type End = string | null;
const [early, middle, late] = ['2026-01-01', '2026-02-02', '2026-03-03'];

interface Case {
  by: JoinedBy;
  /** The end of the member, and the latest one that its owner may choose. */
  was: [End, End];
  /** What its owner agrees to: an end, and for an invitation the one that is offered. */
  now: [End, End];
  becomes: [End, End];
  hadRole?: true;
}

async function endsAfter({ by, was, now, hadRole }: Case): Promise<[End, End]> {
  const { end, latest } = endsOfMember[by];
  const [found] = await database.db.read<{ ends: End; latest: End }>({
    sql: `SELECT ${end} AS ends, ${latest} AS latest FROM
      (SELECT CAST($1 AS text) AS ends_at, CAST($2 AS text) AS ends_at_most, CAST($3 AS text) AS resource_type) memberships,
      (SELECT CAST($4 AS text) AS ends_at, CAST($5 AS text) AS ends_at_most, 'producer' AS resource_type) excluded`,
    params: [...was, hadRole ? 'producer' : 'consumer', ...now],
  });
  return [found!.ends, found!.latest];
}

test.each<Case>([
  // An invitation without an end takes nothing from the member, and gives it nothing.
  { by: 'invitation', was: [null, null], now: [null, null], becomes: [null, null] },
  { by: 'invitation', was: [middle, late], now: [null, null], becomes: [middle, late] },
  { by: 'invitation', was: [middle, late], now: [early, null], becomes: [early, late] },
  { by: 'invitation', was: [null, null], now: [early, null], becomes: [early, null] },
  { by: 'invitation', was: [middle, late], now: [late, null], becomes: [middle, late] },

  // One with an end, for another role: it holds for both, also if it is earlier.
  { by: 'invitationWithEnd', was: [null, null], now: [middle, middle], becomes: [middle, middle] },
  { by: 'invitationWithEnd', was: [late, late], now: [early, middle], becomes: [early, middle] },
  { by: 'invitationWithEnd', was: [early, early], now: [late, late], becomes: [late, late] },
  // For the role that the member has, it only allows more.
  { by: 'invitationWithEnd', hadRole: true, was: [early, early], now: [middle, late], becomes: [middle, late] },
  { by: 'invitationWithEnd', hadRole: true, was: [early, late], now: [middle, middle], becomes: [middle, late] },
  { by: 'invitationWithEnd', hadRole: true, was: [early, null], now: [middle, middle], becomes: [middle, null] },

  // A request gets what it asks for.
  { by: 'request', was: [middle, middle], now: [null, null], becomes: [middle, middle] },
  { by: 'request', was: [early, middle], now: [late, null], becomes: [late, late] },
  { by: 'request', was: [late, late], now: [early, null], becomes: [early, late] },
  { by: 'request', was: [null, null], now: [early, null], becomes: [early, null] },

  // A link allows nothing that the owner of the swarm has not allowed.
  { by: 'link', was: [middle, middle], now: [null, null], becomes: [middle, middle] },
  { by: 'link', was: [early, middle], now: [late, null], becomes: [middle, middle] },
  { by: 'link', was: [middle, late], now: [early, null], becomes: [early, late] },
  { by: 'link', was: [null, null], now: [early, null], becomes: [early, null] },
])('by $by, $was becomes $becomes with $now', async (each) => {
  expect(await endsAfter(each)).toEqual(each.becomes);
});
