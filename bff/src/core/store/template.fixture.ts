import { env } from 'node:process';
import { migrate } from './postgres/migrate.ts';

/** Creates all tables once, in the database that the tests on PostgreSQL copy (store.fixture.ts). */
export async function setup() {
  const template = env['TEST_DATABASE_TEMPLATE'];
  if (template === undefined) return;
  const url = new URL(env['TEST_DATABASE_URL']!);
  url.pathname = template;
  await migrate({ url: url.href });
}
