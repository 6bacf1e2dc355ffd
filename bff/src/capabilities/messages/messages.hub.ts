/**
 * The hub of messages: who receives them (receivers.ts), the newest ones in memory (recent-messages.ts), what was written to these
 * (deliver.ts), and from there to each receiver (receive.ts) and to browsers that watch a swarm (watch.ts).
 */
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import { SetsByKey } from '../../core/limits/bounded-map.ts';
import type { Budget } from '../../core/limits/budget.ts';
import { createMainThreadQueue } from '../../core/limits/fair-queue.ts';
import { createOutage } from '../../core/limits/outage.ts';
import type { FeedRow } from '../../core/store/row-types.ts';
import { createDelivery } from './deliver.ts';
import { createOutgoing, createSecondsLeft, createSlices, type HubContext } from './hub-context.ts';
import type { MessageCursors } from './message-json.ts';
import type { MessageReads } from './messages.store.ts';
import { catchUp, onRightsChanged, reachedBy } from './receive.ts';
import { createReceivers, type Receiver, type ReceiverOptions } from './receivers.ts';
import { createRecentMessages } from './recent-messages.ts';
import { watch, type Watched, type Watchers } from './watch.ts';

export type MessageHub = ReturnType<typeof createMessageHub>;

export function createMessageHub(options: {
  messages: MessageReads;
  cursors: MessageCursors;
  feed: Pick<ChangeFeed, 'subscribe' | 'readCommitted'>;
  /** Something was committed, perhaps messages of which this process does not know. */
  onUnknownCommit: (subscriber: () => void) => () => void;
  deliveries: Budget;
  now: () => Date;
  report: (error: unknown) => void;
}) {
  const { messages, cursors, feed, onUnknownCommit, deliveries, now, report } = options;
  const receivers = createReceivers();
  const recent = createRecentMessages(messages.newest);
  const watchers: Watchers = new SetsByKey();
  const hub: HubContext = {
    messages,
    cursors,
    receivers,
    recent,
    outgoingOf: createOutgoing(cursors, report),
    secondsLeft: createSecondsLeft(now),
    reads: createMainThreadQueue(),
    deliveries,
    slices: createSlices(),
    outage: createOutage(report),
    report,
    isStopped: false,
  };
  const delivery = createDelivery({ hub, watchers, readFeed: feed.readCommitted });
  const unsubscribes = [
    onUnknownCommit(delivery.onCommit),
    feed.subscribe((entries) => {
      if (!entries) for (const receiver of receivers.all) onRightsChanged(hub, receiver);
      for (const entry of entries ?? []) {
        if (entry.kind === 'resource.destroyed') delivery.forget({ device: entry.resource_id!, owner: entry.owner! });
        onEntry(hub, watchers, entry);
      }
    }),
  ];

  function stopIfIdle() {
    if (receivers.all.size === 0 && watchers.size === 0) recent.stop();
  }

  return {
    deliver: delivery.deliver,
    secondsLeft: hub.secondsLeft,

    /** All messages that are sent from now on are after it. */
    async newestCursor(): Promise<string> {
      await recent.start();
      stopIfIdle();
      return cursors.cursorOf(recent.upTo);
    },

    /** Sends what the device may receive, until `stop` is called. `started` resolves when it has got what it has missed. */
    receive(given: ReceiverOptions) {
      const begun = Promise.withResolvers<void>();
      const receiver: Receiver = {
        ...given,
        cursor: cursors.seqOf(given.after),
        swarms: undefined,
        rights: undefined,
        notifiedUpTo: 0,
        isChanged: false,
        hasEnded: false,
        started: begun.resolve,
      };
      receivers.add(receiver);
      void catchUp(hub, receiver);
      return {
        started: begun.promise,
        /** Where the client resumes. */
        cursor: () => cursors.cursorOf(reachedBy(hub, receiver)),
        stop() {
          if (receiver.hasEnded) return;
          receiver.hasEnded = true;
          receivers.remove(receiver);
          begun.resolve();
          stopIfIdle();
        },
      };
    },

    watch: <Item>(watched: Watched<Item>) => watch(hub, { ...watched, watchers, onEnd: stopIfIdle }),

    /** Receivers that wait because their users have spent their budgets of deliveries. */
    waitingForBudget: () => deliveries.queued(),

    /** Answers the requests that wait for a message. */
    endWaiting() {
      for (const { stopped } of receivers.all) stopped?.();
    },

    stop() {
      hub.isStopped = true;
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}

/** Whose rights an entry of the feed may have changed. */
function onEntry(hub: HubContext, watchers: Watchers, entry: FeedRow): void {
  const { kind, owner, resource_id, swarm_id, record_id } = entry;
  const { byDevice, bySwarm, byKey, byUser, catchingUp } = hub.receivers;
  const onRightsOfAllChanged = (receivers: Iterable<Receiver>) => {
    for (const each of receivers) onRightsChanged(hub, each);
  };
  if (kind === 'membership.changed' || kind === 'resource.destroyed') onRightsOfAllChanged(byDevice.of(resource_id!));
  else if (kind === 'swarm.destroyed') {
    onRightsOfAllChanged(Array.from(bySwarm.of(swarm_id!)));
    // A receiver that catches up is not in `bySwarm` yet, but may have read its rights before this entry.
    for (const each of catchingUp) if (each.rights?.has(swarm_id!) ?? true) each.isChanged = true;
  } else if (kind === 'key.changed' || kind === 'account.ended')
    onRightsOfAllChanged(record_id === null ? byUser.of(owner!) : byKey.of(record_id));
  if (swarm_id !== null) for (const each of watchers.of(swarm_id)) each.isChanged = true;
}
