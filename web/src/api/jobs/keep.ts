/**
 * What outlives the page: jobs of many requests, kept in the browser's own database until they are done. One store of
 * values by key; a value is whatever the structured clone takes: records, arrays, maps, also a `File` with its bytes.
 *
 * Keys begin with a word of their owner and the user, because one browser may know several: `import:ann:…`.
 *
 *     await keep(`answers:${user_id}`, { key, rows });           // resolved when it is written
 *     const job = await kept<AnswerJob>(`answers:${user_id}`);   // undefined where there is none
 *     const jobs = await keptUnder<Job>(`import:${user_id}:`);   // all of a prefix, in the order of their keys
 *     await forget(`answers:${user_id}`);                        // forgetUnder: all of a prefix
 *
 * Each call is a transaction of its own. Two tabs that continue one job would send it twice: take a lock of
 * `navigator.locks` by the same key first. Everything rejects where the browser keeps nothing (full, forbidden); a job
 * goes on without, and only cannot be resumed.
 */
const store = 'kept';
let opening: Promise<IDBDatabase> | undefined;

export async function keep(key: string, value: unknown): Promise<void> {
  await run('readwrite', (kept) => kept.put(value, key));
}

export function kept<Value>(key: string): Promise<Value | undefined> {
  return run('readonly', (kept) => kept.get(key) as IDBRequest<Value | undefined>);
}

export function keptUnder<Value>(prefix: string): Promise<Value[]> {
  return run('readonly', (kept) => kept.getAll(under(prefix)) as IDBRequest<Value[]>);
}

export async function forget(key: string): Promise<void> {
  await run('readwrite', (kept) => kept.delete(key));
}

export async function forgetUnder(prefix: string): Promise<void> {
  await run('readwrite', (kept) => kept.delete(under(prefix)));
}

const under = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uFFFF`);

/** Resolves at the end of the transaction, not of the request: what is written is written then. */
async function run<Result>(mode: IDBTransactionMode, ask: (kept: IDBObjectStore) => IDBRequest<Result>) {
  opening ??= open();
  const database = await opening;
  return new Promise<Result>((resolve, reject) => {
    const transaction = database.transaction(store, mode);
    const request = ask(transaction.objectStore(store));
    transaction.addEventListener('complete', () => resolve(request.result));
    transaction.addEventListener('abort', () => reject(transaction.error ?? keepsNothing()));
    // a page that is being left hears no more of it, and what is not committed by then is undone
    transaction.commit();
  });
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('swarmdeck', 1);
    const lost = () => {
      opening = undefined;
    };
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store));
    request.addEventListener('success', () => {
      const database = request.result;
      // somebody emptied the browser's store, or a newer version of the app wants it in another shape
      database.addEventListener('close', lost);
      database.addEventListener('versionchange', () => {
        database.close();
        lost();
      });
      resolve(database);
    });
    request.addEventListener('error', () => {
      lost();
      reject(request.error ?? keepsNothing());
    });
  });
}

const keepsNothing = () => new Error('The browser keeps nothing');
