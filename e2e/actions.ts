import { randomUUID } from 'node:crypto';
import type { Action, ActionList, Resource } from '@swarmdeck/bff/contract';
import { expect, type APIRequestContext } from 'playwright/test';

/** The actions of the signed-in user that were not dismissed, newest first. */
export async function readActions(request: APIRequestContext): Promise<Action[]> {
  return ((await (await request.get('/api/actions')).json()) as ActionList).actions;
}

/**
 * Starts the pending actions of the signed-in user now, as if their time to undo were over. Waits until there are
 * `count` of them: the page may still be sending them.
 */
export const runPending = (request: APIRequestContext, count = 1) =>
  postToPending(request, { verb: 'wait', data: { seconds: 0 }, count });

/** Pauses the pending action of the signed-in user before it begins. */
export const pausePending = (request: APIRequestContext) => postToPending(request, { verb: 'pause', count: 1 });

async function postToPending(
  request: APIRequestContext,
  { verb, data, count }: { verb: string; data?: object; count: number },
): Promise<string[]> {
  let pending: string[] = [];
  const find = async () => {
    const actions = await readActions(request);
    pending = actions.flatMap(({ id, state }) => (state === 'pending' ? [id] : []));
    return pending.length;
  };
  await expect.poll(find).toBe(count);
  const { origin } = new URL((await request.get('/api/actions')).url());
  for (const id of pending) {
    const response = await request.post(`/api/actions/${id}/${verb}`, { headers: { origin }, data });
    expect(response.status()).toBe(200);
  }
  return pending;
}

/** Starts the deletion of each of these devices of the signed-in user, with the longest time to undo it. */
export async function startDeleting(request: APIRequestContext, devices: Pick<Resource, 'id' | 'name'>[]) {
  const { origin } = new URL((await request.get('/api/actions')).url());
  for (const { id, name } of devices) {
    const data = { id: randomUUID(), kind: 'delete', about: {}, items: [{ id, name }], wait: 60 };
    expect((await request.post('/api/actions', { headers: { origin }, data })).status()).toBe(201);
  }
}

/** Items of a part of an upload. */
const partSize = 500;

/** Imports so many devices for the signed-in user: "Buoy 100", "Buoy 101", … */
export async function importDevices(request: APIRequestContext, count: number): Promise<void> {
  const { origin } = new URL((await request.get('/api/actions')).url());
  const id = randomUUID();
  const post = async (path: string, data?: object) =>
    expect((await request.post(`/api/actions${path}`, { headers: { origin }, data })).ok()).toBe(true);
  await post('', { id, kind: 'import', about: { file: 'buoys.csv', hash: id }, wait: 0, total: count });
  const items = Array.from({ length: count }, (_, line) => {
    const name = `Buoy ${line + 100}`;
    return { line: line + 2, name, create: { name, machine_type: 'pc' } };
  });
  for (let from = 0; from < count; from += partSize) {
    const path = `/api/actions/${id}/parts/${from / partSize}`;
    const data = { items: items.slice(from, from + partSize) };
    expect((await request.put(path, { headers: { origin }, data })).status()).toBe(204);
  }
  await post(`/${id}/start`);
  const hasEnded = async () => (await readActions(request)).find((action) => action.id === id)?.state === 'ended';
  await expect.poll(hasEnded, { timeout: 60_000 }).toBe(true);
  await post(`/${id}/dismiss`);
}
