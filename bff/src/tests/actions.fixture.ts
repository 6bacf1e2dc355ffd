import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Action, ActionList, ActionStart, Problem } from '../contract.ts';
import { actionLimits } from '../core/limits/field-rules.ts';
import type { Client } from './restart.fixture.ts';
import type { ServiceClient } from './service-client.fixture.ts';

/** Without its id. */
export type Start = ActionStart extends infer One
  ? One extends unknown
    ? Omit<One, 'id'> & { id?: string }
    : never
  : never;

/** The kinds of actions of a capability: an action of each that the client can start, and how what it changes is read, with what is read afterwards. */
export type ActionKindCases = Record<
  string,
  (
    client: ServiceClient,
    other: ServiceClient,
  ) => Promise<{
    /** Whose action it is; without, the first client's. */
    client?: ServiceClient;
    action: Extract<Start, { items: unknown }>;
    read: () => Promise<unknown>;
    after: unknown;
  }>
>;

/** The actions of a user, through the gateway. */
export function actionsOf(client: Pick<ServiceClient, 'request' | 'get'>) {
  const post = (path: string, body?: object) =>
    client.request({ method: 'POST', path: `/actions${path}`, ...(body && { body }) });
  const list = async () => (await client.get<ActionList>('/actions')).actions;
  async function record(answer: Promise<Response>): Promise<Action> {
    const { status, text } = { status: (await answer).status, text: await (await answer).text() };
    expect(status, text).toBeLessThan(300);
    return JSON.parse(text) as Action;
  }
  const history = async () => (await client.get<ActionList>('/actions/history')).actions;
  const fix = (start: Start) => ({ id: randomUUID(), ...start });
  const find = async (id: string) => {
    const isIt = (action: Action) => action.id === id;
    return (await list()).find(isIt) ?? (await history()).find(isIt);
  };
  return {
    post,
    list,
    history,
    find,
    send: (start: Start) => post('', fix(start)),
    start: (start: Start) => record(post('', fix(start))),
    act: (id: string, what: string, body?: object) => record(post(`/${id}/${what}`, body)),
    /** Starts an action with any number of items. */
    async upload(
      start: Pick<ActionStart, 'kind' | 'about' | 'wait'> & { id?: string },
      items: readonly object[],
    ): Promise<Action> {
      const { id } = await record(post('', fix({ ...start, total: items.length } as Start)));
      for (let from = 0; from < items.length; from += actionLimits.part) {
        const path = `/actions/${id}/parts/${from / actionLimits.part}`;
        const body = { items: items.slice(from, from + actionLimits.part) };
        expect((await client.request({ method: 'PUT', path, body })).status).toBe(204);
      }
      return record(post(`/${id}/start`));
    },
    /** Waits until the action has ended. */
    async ended(id: string, timeout?: number): Promise<Action> {
      return vi.waitFor(
        async () => {
          const action = await find(id);
          expect(action?.state).toBe('ended');
          return action!;
        },
        { interval: 5, ...(timeout !== undefined && { timeout }) },
      );
    },
    /** Such as `409 action.state`. */
    async refused(id: string, what: string, body?: object) {
      const answer = await post(`/${id}/${what}`, body);
      return `${answer.status} ${((await answer.json()) as Problem).code}`;
    },
  };
}

/** The same for a user of another process. */
export function actionsOfClient({ request }: Client) {
  return actionsOf({
    async request({ method = 'GET', path, body }) {
      const answer = await request({ method, path, body, entryPoint: 'browser' });
      return new Response(answer.body === '' ? null : answer.body, { status: answer.status });
    },
    get: async <T>(path: string) => JSON.parse((await request({ path, entryPoint: 'browser' })).body) as T,
  });
}
