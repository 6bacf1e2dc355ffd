import { startPostgres, type PostgresServer } from './postgres.ts';

let server: PostgresServer | undefined;

/**
 * The server of the tests that run on PostgreSQL: `TEST_DATABASE_URL`, or one of its own, whose address workers inherit.
 * Its own has a database that they copy (store/template.fixture.ts).
 */
export async function setup() {
  if (process.env.TEST_DATABASE_URL) return;
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  await server.createDatabase('with_tables');
  process.env.TEST_DATABASE_TEMPLATE = 'with_tables';
}

export const teardown = () => server?.stop();
