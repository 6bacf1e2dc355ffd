/** Where the outbox is stored (outbox.ts). The service worker adds to it too. */
import { createStore } from 'idb-keyval';

export const outboxDatabase = createStore('outbox', 'entries');
/** Tells all pages that the stored entries have changed. */
export const outboxChannel = 'outbox';
/** The tag of the notification that says that an entry waits. */
export const noticeTagOf = (id: string) => `outbox:${id}`;
