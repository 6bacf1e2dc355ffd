import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Better Auth 1.7.5 with the username plugin, frozen from its compileMigrations()
  `CREATE TABLE "user" ("id" text NOT NULL PRIMARY KEY, "name" text NOT NULL, "email" text NOT NULL UNIQUE,
     "emailVerified" integer NOT NULL, "image" text, "createdAt" date NOT NULL, "updatedAt" date NOT NULL,
     "username" text UNIQUE, "displayUsername" text)`,
  `CREATE TABLE "session" ("id" text NOT NULL PRIMARY KEY, "expiresAt" date NOT NULL, "token" text NOT NULL UNIQUE,
     "createdAt" date NOT NULL, "updatedAt" date NOT NULL, "ipAddress" text, "userAgent" text,
     "userId" text NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE)`,
  `CREATE TABLE "account" ("id" text NOT NULL PRIMARY KEY, "accountId" text NOT NULL, "providerId" text NOT NULL,
     "userId" text NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE, "accessToken" text, "refreshToken" text,
     "idToken" text, "accessTokenExpiresAt" date, "refreshTokenExpiresAt" date, "scope" text, "password" text,
     "createdAt" date NOT NULL, "updatedAt" date NOT NULL)`,
  `CREATE TABLE "verification" ("id" text NOT NULL PRIMARY KEY, "identifier" text NOT NULL, "value" text NOT NULL,
     "expiresAt" date NOT NULL, "createdAt" date NOT NULL, "updatedAt" date NOT NULL)`,
  `CREATE INDEX "session_userId_idx" ON "session" ("userId")`,
  `CREATE INDEX "account_userId_idx" ON "account" ("userId")`,
  `CREATE INDEX "verification_identifier_idx" ON "verification" ("identifier")`,

  `CREATE TABLE retired_names (name TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID`,
  `CREATE TRIGGER retired_names_stay BEFORE INSERT ON "user"
     WHEN EXISTS (SELECT 1 FROM retired_names WHERE name = new.username)
     BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: user.username'); END`,

  `CREATE TABLE resources (id TEXT NOT NULL PRIMARY KEY, user_id TEXT NOT NULL, name TEXT NOT NULL,
     machine_type TEXT NOT NULL CHECK (machine_type IN ('pc', 'bug', 'smartphone')), description TEXT,
     longitude REAL CHECK (longitude BETWEEN -180 AND 180), latitude REAL CHECK (latitude BETWEEN -90 AND 90),
     created_at TEXT NOT NULL, modified_at TEXT, changed_at TEXT NOT NULL, version INTEGER NOT NULL,
     name_key TEXT NOT NULL, name_folded TEXT NOT NULL, description_folded TEXT,
     search_text TEXT GENERATED ALWAYS AS (name_folded || char(10) || coalesce(description_folded, '')) VIRTUAL,
     CHECK ((longitude IS NULL) = (latitude IS NULL)))`,
  `CREATE INDEX resources_by_creation ON resources (user_id, created_at, id)`,
  `CREATE INDEX resources_by_name ON resources (user_id, name_key, id)`,
  `CREATE INDEX resources_by_change ON resources (user_id, changed_at, id)`,

  `CREATE TABLE swarms (id TEXT NOT NULL PRIMARY KEY, user_id TEXT NOT NULL, name TEXT NOT NULL,
     description TEXT NOT NULL, public INTEGER NOT NULL, created_at TEXT NOT NULL, version INTEGER NOT NULL)`,
  `CREATE INDEX swarms_by_owner ON swarms (user_id, created_at, id)`,
  `CREATE TABLE memberships (swarm_id TEXT NOT NULL REFERENCES swarms (id) ON DELETE CASCADE,
     resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
     resource_type TEXT NOT NULL CHECK (resource_type IN ('producer', 'consumer', 'both')),
     member_since TEXT NOT NULL, PRIMARY KEY (swarm_id, resource_id)) WITHOUT ROWID`,
  `CREATE INDEX memberships_by_resource ON memberships (resource_id, swarm_id)`,

  `CREATE TABLE api_keys (id TEXT NOT NULL PRIMARY KEY, user_id TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('device', 'held')), name TEXT NOT NULL, hash BLOB NOT NULL UNIQUE,
     ends_in TEXT NOT NULL, created_at TEXT NOT NULL, last_used_on TEXT, expires_at TEXT)`,
  `CREATE INDEX api_keys_by_owner ON api_keys (user_id, kind, created_at)`,
  `CREATE TABLE held_keys (user_id TEXT NOT NULL PRIMARY KEY, key_id TEXT NOT NULL, sealed BLOB NOT NULL,
     created_at TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE idempotency (user_id TEXT NOT NULL, key TEXT NOT NULL, body_hash BLOB NOT NULL,
     answer TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (user_id, key))`,
  `CREATE INDEX idempotency_by_age ON idempotency (created_at)`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
