import { vi } from 'vitest';
import type { Action, ActionItem, ActionKind } from '@swarmdeck/bff/contract';

interface Request {
  method: string;
  path: string;
  body: {
    id?: string;
    kind?: ActionKind;
    about?: object;
    items?: ActionItem[];
    wait?: number;
    total?: number;
    expected?: number;
  };
}

/** A server of actions. `answer` may answer a request itself, with an error; `until`: requests are not answered before. */
export function serveActions({
  answer,
  until,
}: { answer?: (request: Request) => Response | undefined; until?: Promise<void> } = {}) {
  const actions = new Map<string, Action>();
  const requests: Request[] = [];
  const ended: Action[] = [];
  const devices: object[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const { method = 'GET', body } = init;
    const request = { method, path, body: JSON.parse((body as string | null) ?? '{}') as Request['body'] };
    requests.push(request);
    await until;
    return answer?.(request) ?? respond(request);
  });

  function respond({ method, path, body }: Request): Response {
    const [, , , id = '', verb] = path.split('/');
    if (path === '/api/actions/history') return Response.json({ actions: ended, next: null });
    if (verb?.startsWith('results')) {
      const found = actions.get(id);
      if (!found) return problem('action.not_found', 404);
      return Response.json({ results: found.items?.map((item) => ({ item, result: null })) });
    }
    if (path === '/api/resources') return Response.json(devices);
    if (method === 'GET') return Response.json({ actions: [...actions.values()].toReversed() });
    if (path === '/api/actions') {
      const { id: made = '', kind, about, items, wait = 0, expected, total = items?.length ?? expected ?? 0 } = body;
      const runs_at = new Date(Date.now() + wait * 1000).toISOString();
      const action = {
        id: made,
        kind,
        about,
        total,
        runs_at,
        ...(items && { items }),
        state: items || expected !== undefined ? 'pending' : 'uploading',
        done: 0,
        failed: 0,
        changed: 0,
        created_at: new Date().toISOString(),
        ended_at: null,
        is_waiting: false,
        can_undo: false,
        undone_by: null,
      } as Action;
      actions.set(made, action);
      return Response.json(action, { status: 201 });
    }
    const action = actions.get(id);
    if (!action || (verb === 'undo' && action.state !== 'pending')) return problem('action.state', 409);
    if (verb === 'undo') {
      const items = body.items && (action.items ?? []).filter((item) => !body.items?.includes((item as never)['id']));
      if (!items) {
        actions.delete(id);
        return new Response(null, { status: 204 });
      }
      return change(id, { items: items as never, total: items.length });
    }
    if (verb === 'dismiss') actions.delete(id);
    if (verb === 'parts') return new Response(null, { status: 204 });
    const seconds = (body as { seconds?: number }).seconds;
    if (seconds !== undefined) return change(id, { runs_at: new Date(Date.now() + seconds * 1000).toISOString() });
    return change(id, verb === 'start' ? { state: 'running' } : {});
  }
  function change(id: string, next: Partial<Action>): Response {
    const { done, failed } = { ...actions.get(id)!, ...next };
    const changed = { ...actions.get(id)!, changed: done - failed, ...next } as Action;
    actions.set(id, changed);
    return Response.json(changed);
  }

  return {
    requests,
    /** The paths of the changes, without the ids. */
    sent: () =>
      requests
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, 'id')}`),
    actions,
    /** All devices of the user. */
    devices,
    /** The history. */
    ended,
    /** Changes an action, and returns the data of its event. */
    change(id: string, next: Partial<Action>) {
      change(id, next);
      const { items: _items, results: _results, ...data } = actions.get(id)!;
      return { ...(data as Omit<Action, 'items' | 'results'>), is_dismissed: false };
    },
  };
}

export const problem = (code: string, status: number) =>
  Response.json(
    { type: 'about:blank', title: '', status, detail: '', code, request_id: '' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
