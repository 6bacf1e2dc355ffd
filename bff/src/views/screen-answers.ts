/** A screen shows what is: no answer to it is kept on its way. */
export const noStore = { 'cache-control': 'no-store' };

/** So long a map or a wall waits for an index that is being built, before it is told how far that has come. */
export const patienceMs = 1000;
