import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { applyOwnChanges } from '../../../api/changes.ts';
import { pauseFor } from '../../../api/jobs/send-each.ts';
import { serverNow } from '../../../api/server-clock.ts';
import { sendRow } from '../import.api.ts';
import type { Importer } from './import-state.ts';
import { createImportStore } from './import.store.ts';
import { createImporter } from './importer.ts';
import { tabLock } from './tab-lock.ts';

/** As many as there are apps on the page, which is one; a user who leaves takes the page along. */
const known = new WeakMap<QueryClient, { user_id: string; importer: Importer }>();

/** The user's import. It goes on while one looks at other pages. */
export function importerOf({ client, user_id }: { client: QueryClient; user_id: string }): Importer {
  const there = known.get(client);
  if (there?.user_id === user_id) return there.importer;
  const importer = createImporter({
    store: createImportStore({ user_id }),
    send: sendRow,
    lock: tabLock(`import:${user_id}`),
    now: serverNow,
    pause: pauseFor,
    onDevices: () => applyOwnChanges(client, { type: 'devices.imported', data: {} }),
  });
  known.set(client, { user_id, importer });
  return importer;
}

/** The same, followed as it changes, and taken up where a closed tab has left it. */
export function useImporter({ user_id }: { user_id: string }): Importer {
  const client = useQueryClient();
  const importer = importerOf({ client, user_id });
  useEffect(() => void importer.open(), [importer]);
  useSyncExternalStore(importer.subscribe, importer.state);
  return importer;
}
