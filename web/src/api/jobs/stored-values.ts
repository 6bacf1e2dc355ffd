/**
 * Values that outlive the page, in IndexedDB: one object store of values by key. A value is whatever the structured
 * clone algorithm takes: records, arrays, maps, also a `File` with its content.
 *
 * Keys begin with the kind of the value and the user, because a browser may have several users: `import:ann/job/…`.
 * Each call is a transaction of its own. All calls reject if the browser stores nothing (full, forbidden).
 */
const store = 'kept';
let opening: Promise<IDBDatabase> | undefined;

export async function putValue(key: string, value: unknown): Promise<void> {
  await run('readwrite', (values) => values.put(value, key));
}

export function getValue<Value>(key: string): Promise<Value | undefined> {
  return run('readonly', (values) => values.get(key) as IDBRequest<Value | undefined>);
}

/** All values whose key begins with the prefix, in the order of their keys. */
export function getValues<Value>(prefix: string): Promise<Value[]> {
  return run('readonly', (values) => values.getAll(rangeOf(prefix)) as IDBRequest<Value[]>);
}

/** Deletes all values whose key begins with the prefix. */
export async function deleteValues(prefix: string): Promise<void> {
  await run('readwrite', (values) => values.delete(rangeOf(prefix)));
}

const rangeOf = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uFFFF`);

/** Resolves at the end of the transaction, not of the request: then the value is stored. */
async function run<Result>(mode: IDBTransactionMode, request: (values: IDBObjectStore) => IDBRequest<Result>) {
  opening ??= open();
  const database = await opening;
  return new Promise<Result>((resolve, reject) => {
    const transaction = database.transaction(store, mode);
    const read = request(transaction.objectStore(store));
    transaction.addEventListener('complete', () => resolve(read.result));
    transaction.addEventListener('abort', () => reject(transaction.error ?? storageError()));
    // A document that is being closed gets no more events, and its uncommitted transactions are aborted.
    transaction.commit();
  });
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('swarmdeck', 1);
    const forget = () => {
      opening = undefined;
    };
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store));
    request.addEventListener('success', () => {
      const database = request.result;
      // the user cleared the browser's storage, or a newer version of the app changes its shape
      database.addEventListener('close', forget);
      database.addEventListener('versionchange', () => {
        database.close();
        forget();
      });
      resolve(database);
    });
    request.addEventListener('error', () => {
      forget();
      reject(request.error ?? storageError());
    });
  });
}

const storageError = () => new Error('The browser stores nothing');
