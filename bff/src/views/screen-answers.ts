/** Responses to the web app must not be cached. */
export const noStore = { 'cache-control': 'no-store' };

/** How long a map or a wall waits for an index that is being built before it gets the progress instead, in ms. */
export const patienceMs = 1000;
