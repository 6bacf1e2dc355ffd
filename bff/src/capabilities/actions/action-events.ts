import type { GatewayEvent } from '../../contract.ts';
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import { SetsByKey } from '../../core/limits/bounded-map.ts';

type ActionEvent = Exclude<Extract<GatewayEvent, { type: 'action.changed' }>['data'], { resumed: true }>;

/** In ms: the time between two events of an action. */
const everyMs = 250;

/** Sends the changes of actions, by this process and others, to the users whose actions they are. */
export function createActionEvents(options: {
  feed: Pick<ChangeFeed, 'subscribe'>;
  /** Reads the actions of these ids that exist. */
  read: (ids: string[]) => Promise<ActionEvent[]>;
  report: (error: unknown) => void;
}) {
  const { feed, read, report } = options;
  const subscribers = new SetsByKey<(action: ActionEvent) => void>();
  /** The users of actions that have changed, by the id of the action. */
  let changed = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;

  async function send() {
    const batch = changed;
    changed = new Map();
    timer = setTimeout(() => {
      timer = undefined;
      if (changed.size > 0) void send();
    }, everyMs);
    try {
      const actions = new Map((await read([...batch.keys()])).map((action) => [action.id, action]));
      for (const [id, user] of batch) for (const each of subscribers.of(user)) each(actions.get(id) ?? { id });
    } catch (error) {
      report(error);
      changed = new Map([...batch, ...changed]);
    }
  }

  function notify(id: string, user: string) {
    if (!subscribers.has(user)) return;
    changed.set(id, user);
    if (!timer) void send();
  }

  const unsubscribe = feed.subscribe((entries) => {
    for (const { kind, record_id, owner } of entries ?? []) if (kind === 'action.changed') notify(record_id!, owner!);
  });

  return {
    note: notify,
    subscribe(user: string, subscriber: (action: ActionEvent) => void): () => void {
      subscribers.add(user, subscriber);
      return () => subscribers.remove(user, subscriber);
    },
    stop() {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}
