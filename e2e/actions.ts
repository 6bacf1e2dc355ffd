import type { Action, ActionList } from '@swarmdeck/bff/contract';
import { expect } from 'playwright/test';
import type { APIRequestContext } from 'playwright/test';

/** The actions of the signed-in user that were not dismissed, newest first. */
export async function readActions(request: APIRequestContext): Promise<Action[]> {
  return ((await (await request.get('/api/actions')).json()) as ActionList).actions;
}

/**
 * Starts the pending actions of the signed-in user now, as if their time to undo were over. Waits until there are
 * `count` of them: the page may still be sending them.
 */
export async function runPending(request: APIRequestContext, count = 1): Promise<void> {
  let pending: string[] = [];
  const find = async () => {
    const actions = await readActions(request);
    pending = actions.flatMap(({ id, state }) => (state === 'pending' ? [id] : []));
    return pending.length;
  };
  await expect.poll(find).toBe(count);
  for (const id of pending) {
    const { origin } = new URL((await request.get('/api/actions')).url());
    const path = `/api/actions/${id}/wait`;
    expect((await request.post(path, { headers: { origin }, data: { seconds: 0 } })).status()).toBe(200);
  }
}
