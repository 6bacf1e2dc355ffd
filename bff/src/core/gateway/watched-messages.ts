import type { MessagesEvent } from '../../contract.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import type { EventStream } from '../http/event-streams.ts';
import { streamLimits } from '../limits/part-limits.ts';
import type { Service } from '../../service/service.ts';

const utf8 = new TextDecoder();

/** Sends the new messages of a swarm to a browser: the newest ones in full, and how many were left out. */
export function watchMessages(
  {
    messages,
    feed,
    now,
  }: {
    messages: Pick<Service['messages'], 'watch' | 'ofSwarm'>;
    feed: Pick<ChangeFeed, 'newestId'>;
    now: () => Date;
  },
  watched: {
    user: string;
    swarmId: string;
    stream: EventStream;
    recheckAccess: () => Promise<void> | void;
  },
) {
  const { user: userId, swarmId, stream, recheckAccess } = watched;
  return messages.watch({
    userId,
    swarmId,
    async read(between) {
      await recheckAccess();
      return (await messages.ofSwarm({ userId, swarmId, ...between, limit: streamLimits.messages })).items;
    },
    ready: stream.flushed,
    send({ items, count }) {
      let size = 0;
      const shown = items.filter(({ json }) => (size += json.length) <= streamLimits.messageBytes);
      const isCut = items.length === streamLimits.messages || shown.length < items.length;
      const skipped = isCut ? Math.max(0, count - shown.length) : 0;
      const texts = shown.toReversed().map(({ json }) => utf8.decode(json));
      const type: MessagesEvent['type'] = 'message.sent';
      const head = JSON.stringify({ id: feed.newestId(), type, at: now().toISOString() });
      // The messages are JSON already.
      const data = `{"swarm_id":"${swarmId}","items":[${texts.join()}],"skipped":${skipped}}`;
      stream.send(`data: ${head.slice(0, -1)},"data":${data}}\n\n`);
    },
  });
}
