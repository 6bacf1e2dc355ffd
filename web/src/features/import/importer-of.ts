import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { announceDevices, sendRow } from './import.api.ts';
import { createImportStore } from './import.store.ts';
import { createImporter } from './importer.ts';
import type { Importer } from './importer.ts';
import { serverNow } from '../../api/server-clock.ts';
import { tabLock } from './tab-lock.ts';

/** As many as there are apps on the page, which is one; a user who leaves takes the page along. */
const known = new WeakMap<QueryClient, Importer>();

/** The user's import. It goes on while one looks at other pages. */
export function useImporter({ user_id }: { user_id: string }): Importer {
  const client = useQueryClient();
  let importer = known.get(client);
  if (!importer) {
    importer = createImporter({
      store: createImportStore({ user_id }),
      send: sendRow,
      lock: tabLock(`import:${user_id}`),
      now: serverNow,
      sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
      onDevices: () => announceDevices(client),
    });
    known.set(client, importer);
  }
  const mine = importer;
  useEffect(() => void mine.open(), [mine]);
  useSyncExternalStore(mine.subscribe, mine.state);
  return mine;
}
