import type { QueryClient } from '@tanstack/react-query';
import { send } from './client.ts';
import { oncePerClient } from './of-client.ts';
import { notShownIfUnknown } from './problem.ts';

/** The attempts without an answer, by the path of the request. */
const lost = oncePerClient(() => new Map<string, string>());

interface Creation {
  client: QueryClient;
  path: string;
  body: object;
}

/**
 * Creates something whose secret is only in this answer. A try after one that has failed has the same `attempt`, also from a form that
 * was closed, and with another body: the server deletes what the failed one has created, because nobody has seen it. A browser that
 * sends a request again by itself does the same.
 */
export async function createShownOnce<Created>({ client, path, body }: Creation): Promise<Created> {
  const attempts = lost({ client });
  const attempt = attempts.get(path) ?? crypto.randomUUID();
  // A request that begins meanwhile has an attempt of its own, because its secret may be shown.
  attempts.delete(path);
  try {
    return (await send<Created>({ method: 'POST', path, body: { ...body, attempt } })).data;
  } catch (error) {
    // Its answer may be all that was lost.
    attempts.set(path, attempt);
    throw notShownIfUnknown(error);
  }
}
