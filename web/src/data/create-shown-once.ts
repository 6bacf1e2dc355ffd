import type { QueryClient } from '@tanstack/react-query';
import { send } from './client.ts';
import { onNewPage } from './new-page.ts';
import { userOf } from './of-client.ts';
import { notShownIfUnknown } from './problem.ts';
import { tabStorage } from './tab-storage.ts';

/** The attempts of this page that have no answer yet. */
const sending = new Set<string>();
onNewPage(() => sending.clear());

interface Creation {
  client: QueryClient;
  path: string;
  body: object;
}

/**
 * Creates something whose secret is only in this answer. A request after one that has failed, or that was under way when the page ended, has
 * the same `attempt`, also from a form that was closed, and with another body: the server deletes what the one without an answer has
 * created, because nobody has seen it. A browser that sends a request again by itself does the same.
 */
export async function createShownOnce<Created>({ client, path, body }: Creation): Promise<Created> {
  const name = `attempt:${userOf(client)}:${path}`;
  const last = tabStorage.read(name);
  // What another request creates meanwhile is seen.
  const attempt = last !== null && !sending.has(last) ? last : crypto.randomUUID();
  tabStorage.write(name, attempt);
  sending.add(attempt);
  try {
    const { data } = await send<Created>({ method: 'POST', path, body: { ...body, attempt } });
    if (tabStorage.read(name) === attempt) tabStorage.write(name, null);
    return data;
  } catch (error) {
    // Its answer may be all that was lost.
    tabStorage.write(name, attempt);
    throw notShownIfUnknown(error);
  } finally {
    sending.delete(attempt);
  }
}
