/** Where the outbox is stored (outbox.ts). The service worker adds to it too. */
import { createStore, del, entries, set } from 'idb-keyval';
import { onNewPage } from '../new-page.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** Tells all pages that the stored entries have changed. */
export const outboxChannel = 'outbox';
/** The tag of the notification that says that an entry waits. */
export const noticeTagOf = (id: string) => `outbox:${id}`;

/** In ms. */
const longestRead = 2000;

const open = () => createStore('outbox', 'entries');
let database = open();
onNewPage(() => {
  database = open();
});

/** Rejects if the database hangs, as WebKit's does at times after a page load. What uses it next opens it again. */
export async function readEntries(): Promise<OutboxEntry[]> {
  const { promise: hanging, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    database = open();
    reject(new Error('The outbox could not be read in time'));
  }, longestRead);
  try {
    const rows = await Promise.race([entries<string, OutboxEntry>(database), hanging]);
    return rows.map(([, entry]) => entry);
  } finally {
    clearTimeout(timer);
  }
}

export const storeEntry = (entry: OutboxEntry): Promise<void> => set(entry.id, entry, database);

export const deleteEntry = (id: string): Promise<void> => del(id, database);
