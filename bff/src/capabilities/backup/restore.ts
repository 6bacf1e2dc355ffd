/** The command `restore`: a backup replaces the SQLite database, or a database that was copied otherwise is brought into use. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import { secretsOf, storedSecret } from '../../core/config/stored-secret.ts';
import { adoptCopy } from '../../core/store/adopt-copy.ts';
import type { Database } from '../../core/store/database.ts';
import { openStore } from '../../core/store/open.ts';
import {
  changeSecret,
  deleteUnreadableWebhooks,
  requireSecret,
  usersOfUnreadableApps,
} from '../../core/store/secret.ts';
import type { ChangedSince } from '../../core/store/sqlite/restore.ts';
import { StorageError } from '../../core/store/statement.ts';

const shownAtMost = 20;

/** What the operator must know of each kind of change. */
const consequences: Record<keyof ChangedSince, string> = {
  newUsers: 'These users are newer than the backup, and do not exist any more',
  deletedUsers: 'These users were deleted since, and exist again',
  newKeys: 'These keys are newer than the backup, and do not work any more',
  revokedKeys: 'These keys were revoked, have expired or may do less since, and work as before',
  newPasswords: 'These users have changed or removed their password since, and have the old one again',
  usedCodes: 'These users have used recovery codes or replaced them since, and the old ones work again',
  otherApps: 'These users have removed or replaced their authenticator app since, and the old one is asked for again',
  otherAddresses:
    'These users have removed or changed their email address since, and links for a lost password go to the old one again',
  removedPasskeys: 'These passkeys were removed since, and sign in again',
  unlinkedProviders: 'These users have unlinked a provider since, and sign in with it again',
  otherWebhooks:
    'These users have removed or replaced their webhook since, and the old address gets their notices again',
  disabledUsers: 'These users were disabled since, and are enabled again',
  enabledUsers: 'These users were enabled since, and are disabled again',
  operators: 'These users are no longer operators since, and are operators again',
  newOperators: 'These users have become operators since, and are no operators any more',
  blockedUsers: 'These users were blocked since, and can ask to join again',
  removedManagers: 'These managers and watchers have left or were removed since, and manage or watch the swarm again',
  formerManagers: 'These managers have become watchers since, and manage the swarm again',
  removedMembers: 'These devices have left or were removed since, and are members as before',
  narrowedMembers: 'These members have only one role since, and have both or the other one again',
  shownMembers: 'The owners of these devices did not let links of the swarm show them any more, and do so again',
  laterEnds: 'These members and watchers were given an earlier end since, and stay longer again',
  openOffers: 'These invitations, requests and offers were rejected or withdrawn since, and can be accepted again',
  privateSwarms: 'These swarms were made private since, and are public again',
  unlistedSwarms: 'These swarms have left the directory since, and are in it again',
  closedSwarms: 'These swarms do not accept requests to join since, and accept them again',
  endedLinks: 'These links to join a swarm were ended since, and can be used again',
  handedOverSwarms: 'These swarms were handed over since, and are their former owners’ again',
  handedOverDevices: 'These devices were handed over since, and are their former owners’ again',
  endedRecordings:
    'The track or values of these devices were switched off or deleted since, and are there and recorded again',
  deletedSwarms: 'These swarms were deleted since, and exist again',
  deletedDevices: 'These devices were deleted since, and exist again',
};

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'secret' | 'secretBefore'>;

/**
 * `file`: undefined to adopt the database as it is. `isSecretNew`: the secret of the copy is lost. Returns lines for the
 * operator.
 * @throws StorageError with a sentence for the operator
 */
export async function restore(options: {
  config: Settings;
  file: string | undefined;
  isSecretNew: boolean;
  now: () => Date;
}): Promise<string[]> {
  const { config, file, isSecretNew, now } = options;
  const secret = secretOf(config, isSecretNew);
  let withoutWebhook: string[] = [];
  let withApp: string[] = [];
  const prepare = async (db: Database) => {
    if (isSecretNew) {
      await changeSecret({ db, secret });
      withoutWebhook = await deleteUnreadableWebhooks({ db });
      withApp = await usersOfUnreadableApps({ db });
    } else await requireSecret({ db, secrets: secretsOf({ ...config, secret }) });
    await adoptCopy({ db });
  };
  const ended = () => [
    'All sessions have ended: users sign in again. Links to choose a password, and links that show a device, no longer work.',
    'All actions are paused: their users continue or stop them.',
    'All users are told in their activity, with the time of the newest entry in the backup.',
    ...(isSecretNew ? ['Links to join a swarm that were sent before no longer work.'] : []),
    ...(withoutWebhook.length > 0
      ? [`The secrets of webhooks are lost. These users have none now, and create it again: ${listed(withoutWebhook)}`]
      : []),
    ...(withApp.length > 0
      ? [
          `The secrets of authenticator apps are lost (users: ${withApp.length.toLocaleString('en')}). A code is still asked for, and none is right. ` +
            `They sign in with a recovery code and set up the app again, or after \`user remove-app\`: ${listed(withApp)}`,
        ]
      : []),
  ];
  if (file === undefined) {
    await adopt(config, prepare);
    return [
      'The database can be used.',
      ...ended(),
      'It was not compared with the one before: what was deleted, revoked, disabled or removed since exists again, and recovery codes that were used work again.',
    ];
  }
  const { restoreFile } = await import('../../core/store/sqlite/restore.ts');
  const { old, changed } = await restoreFile({ url: config.databaseUrl, file, prepare, at: now() });
  return [
    `${file} is restored. Start the server.`,
    ...ended(),
    ...(old === undefined ? [] : [`The database before is ${old}.`]),
    ...(old === undefined || changed ? [] : ['It cannot be read, so the two were not compared.']),
    ...Object.entries(changed ?? {}).flatMap(([kind, names]) =>
      names.length > 0 ? `${consequences[kind as keyof ChangedSince]}: ${listed(names)}` : [],
    ),
  ];
}

async function adopt({ databaseUrl, databaseDirectUrl }: Settings, prepare: (db: Database) => Promise<void>) {
  if (!databaseUrl.startsWith('file:')) {
    const { isInUse } = await import('../../core/store/postgres/feed-listener.ts');
    if (await isInUse({ url: databaseDirectUrl ?? databaseUrl }))
      throw new StorageError('away', 'A server uses the database. Stop all of them. Nothing was changed');
  }
  const db = await openStore({ url: databaseUrl, directUrl: databaseDirectUrl });
  try {
    await prepare(db);
  } finally {
    await db.close();
  }
}

/** A secret that is created now would not be the one of the copy. */
function secretOf({ secret, dataDir }: Settings, isSecretNew: boolean): string {
  if (secret !== undefined) return secret;
  const file = join(dataDir, 'secret');
  if (isSecretNew || existsSync(file)) return storedSecret(dataDir);
  throw new StorageError(
    'away',
    `There is no secret. Put the copy of the file \`secret\` to ${file}, or set SECRET. If it is lost, add --new-secret. Nothing was changed`,
  );
}

function listed(names: readonly string[]): string {
  const more = names.length - shownAtMost;
  return names.slice(0, shownAtMost).join(', ') + (more > 0 ? `, and ${more.toLocaleString('en')} more` : '');
}
