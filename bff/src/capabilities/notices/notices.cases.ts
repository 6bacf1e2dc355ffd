import type { JobCases } from '../../tests/rights.fixture.ts';

/** More than one read has, of as many users. */
const users = Array.from({ length: 2000 }, (_, number) => `user-${number}`);

export const jobs: JobCases = {
  deliveries: {
    prepare: ({ db, at }) =>
      db.write([
        {
          sql: `INSERT INTO webhook_deliveries (user_id, at, kind, next_at) SELECT value, $2, 'invitation.received', 1 FROM elements($1)`,
          params: [JSON.stringify(users), at],
        },
      ]),
    async isOver({ db }) {
      return (await db.read({ sql: 'SELECT 1 FROM webhook_deliveries LIMIT 1' })).length === 0;
    },
  },
};
