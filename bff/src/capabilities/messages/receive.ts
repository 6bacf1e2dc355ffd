/**
 * A receiver is live, and is sent what it has not got yet of the messages in memory, or it catches up: it reads what it has
 * missed with its rights of that moment. It catches up at its start, when its rights may have changed, and when its client reads
 * slowly, so that no more than one write is buffered for it. Deliveries are charged to its user: beyond the user's budget, it catches up, too.
 */
import { deliveryCosts } from '../../core/limits/part-limits.ts';
import { Problem } from '../../core/problem.ts';
import type { MessageRow } from '../../core/store/row-types.ts';
import { sleepBeforeRetry, type HubContext } from './hub-context.ts';
import { headBytes, lastOf } from './message-json.ts';
import type { ReceivedRow, SwarmEnds } from './messages.store.ts';
import type { MessageForm, Outgoing, Receiver } from './receivers.ts';
import type { RecentMessage } from './recent-messages.ts';

/** In numbers of rows: the range of one read of missed messages. It is short, because the client may read slowly. */
const readAtOnce = 50;
/** In bytes: missed messages that are read and sent together. As much is held for a client that does not read. */
const missedAtOnce = 16 * 1024;
/** In bytes: messages that are sent together to a live receiver, because a write costs more than a message. */
const sentAtOnce = 64 * 1024;
/** What one read for a receiver that catches up has cost. */
interface Spent {
  deliveries: number;
}

/** The number up to which everything was sent to the receiver, or is not for it. */
export function reachedBy({ receivers, recent }: HubContext, receiver: Receiver): number {
  return receiver.swarms && !receivers.due.has(receiver) ? Math.max(receiver.cursor, recent.upTo) : receiver.cursor;
}

/** The rights of a receiver may have changed: from now on it gets only what it may receive then. */
export function onRightsChanged(hub: HubContext, receiver: Receiver): void {
  receiver.isChanged = true;
  if (receiver.swarms) catchUpAgain(hub, receiver);
}

function catchUpAgain(hub: HubContext, receiver: Receiver): void {
  receiver.cursor = reachedBy(hub, receiver);
  hub.receivers.catchUp(receiver);
  void catchUp(hub, receiver);
}

/** Sends what it has missed, slice by slice, until it is live or has ended. */
export async function catchUp(hub: HubContext, receiver: Receiver): Promise<void> {
  const { recent, deliveries, reads, outage } = hub;
  const { userId: user } = receiver;
  while (!receiver.hasEnded && !hub.isStopped) {
    try {
      // Before the next two waits: a receiver that ends during them would leave the memory started, which the end of the last receiver stops.
      await recent.start();
      await receiver.ready();
      await deliveries.spendWhenLeft(user, readAtOnce);
      const spent: Spent = { deliveries: deliveryCosts.atRead };
      try {
        const progress = await reads.run({ user }, () => readMissed(hub, receiver, spent));
        if (progress === 'live') return;
      } finally {
        deliveries.correct(user, spent.deliveries - readAtOnce);
      }
    } catch (error) {
      if (hub.isStopped || receiver.hasEnded) return;
      if (error instanceof Problem) return receiver.ended(error);
      receiver.away?.(error);
      outage.failed(error);
      await sleepBeforeRetry();
    }
  }
}

/**
 * Sends the next slice of what it has missed. `live`: the rest is in memory. `again`: there may be more, or it has ended, or its rights have changed
 * during the read.
 */
async function readMissed(hub: HubContext, receiver: Receiver, spent: Spent): Promise<'live' | 'again'> {
  const { recent } = hub;
  if (receiver.hasEnded) return 'again';
  await dropCursorOfOther(hub, receiver);
  // Noted before the rights are read, so that these are newer than the messages up to here.
  const [after, upTo] = [receiver.cursor, recent.upTo];
  const rights = await readRights(hub, receiver);
  if (isOutdated(receiver)) return 'again';
  if (after >= recent.from) {
    goLive(hub, receiver, { rights, spent });
    return 'live';
  }
  const { missed, readUpTo } = await readSlice(hub, receiver, { rights, after, upTo });
  if ((await notifyMissing(hub, receiver, [...rights.keys()])) || isOutdated(receiver)) return 'again';
  const isSent = await sendMissed(hub, receiver, { missed, spent });
  // Also beyond rows that are not for it, which it would read again otherwise.
  if (isSent) receiver.cursor = Math.max(receiver.cursor, readUpTo);
  return 'again';
}

/** What was read for it is not sent: its rights may have changed since, or it has ended. */
const isOutdated = ({ isChanged, hasEnded }: Receiver): boolean => isChanged || hasEnded;

/** A number that no message has is of another database: then it begins with the oldest message. Another process may only be ahead. */
async function dropCursorOfOther({ messages, recent }: HubContext, receiver: Receiver): Promise<void> {
  if (receiver.cursor > recent.upTo && receiver.cursor > (await messages.newest())) receiver.cursor = 0;
}

/** The swarms from which it may receive now. @throws a Problem if it may not receive any more */
async function readRights({ messages, outage }: HubContext, receiver: Receiver): Promise<SwarmEnds> {
  const { userId, resourceId: id } = receiver;
  receiver.isChanged = false;
  receiver.rights = undefined;
  await receiver.recheckAccess();
  const rights = await messages.receivedBy({ userId, id });
  receiver.rights = rights;
  outage.succeeded();
  if (!rights) throw new Problem('resource.not_found');
  return rights;
}

/** The next messages for it, one row of each. Everything up to `readUpTo` is among them, or is not for it. */
async function readSlice(
  { messages }: HubContext,
  { resourceId: id }: Receiver,
  { rights, after, upTo }: { rights: SwarmEnds; after: number; upTo: number },
): Promise<{ missed: ReceivedRow[]; readUpTo: number }> {
  const swarms = [...rights.keys()];
  const firstSeq = await messages.firstAfter({ swarms, after });
  if (firstSeq === undefined || firstSeq > upTo) return { missed: [], readUpTo: upTo };
  const readTo = (endSeq: number) => messages.received({ id, swarms, after: firstSeq - 1, upTo: endSeq });
  let endSeq = Math.min(firstSeq + readAtOnce - 1, upTo);
  let rows = await readTo(endSeq);
  // The first message alone may have more rows.
  if (rows[0] && lastOf(rows[0]) > endSeq) {
    endSeq = lastOf(rows[0]);
    rows = await readTo(endSeq);
  }
  // The last message may have more rows beyond the end.
  const whole = rows.filter((row) => lastOf(row) <= endSeq);
  const lastRows = new Map(whole.filter((row) => isBeforeEnd(rights, row)).map((row) => [lastOf(row), row]));
  const isAllRead = whole.length === rows.length;
  return { missed: [...lastRows.values()], readUpTo: isAllRead ? endSeq : Math.max(0, ...whole.map(lastOf)) };
}

/** Returns false if the client takes no more now, or what was read is no longer right. */
async function sendMissed(
  hub: HubContext,
  receiver: Receiver,
  { missed, spent }: { missed: ReceivedRow[]; spent: Spent },
): Promise<boolean> {
  while (missed.length > 0) {
    const slice = takeSlice(missed, missedAtOnce);
    const rows = await hub.messages.whole(slice.map(({ seq }) => seq));
    // If one was deleted meanwhile, the receiver is notified with its next read.
    if (rows.length < slice.length || isOutdated(receiver)) return false;
    receiver.cursor = lastOf(slice.at(-1)!);
    for (const { size } of slice) spent.deliveries += costOf(size);
    if (!send(hub, receiver, rows.map(hub.outgoingOf))) return false;
  }
  return true;
}

/**
 * Sends messages in one write, without those that have expired. Returns false if the client takes no more now. Where one cannot be read, the
 * receiver is notified that it misses it, and gets those before and after it.
 */
function send(hub: HubContext, receiver: Receiver, messages: readonly MessageForm[]): boolean {
  let takesMore = true;
  let outgoing: Outgoing[] = [];
  const write = () => {
    if (outgoing.length > 0) takesMore = sendTogether(hub, receiver, outgoing);
    outgoing = [];
  };
  for (const message of messages) {
    if ('isUnreadable' in message) {
      write();
      receiver.missing(cursorBefore(hub, message));
    } else if (hub.secondsLeft(message) !== 0) outgoing.push(message);
  }
  write();
  return takesMore;
}

/** If the door fails, the receiver is notified that it misses them: it would ask for the same ones again and again. */
function sendTogether(hub: HubContext, receiver: Receiver, outgoing: readonly Outgoing[]): boolean {
  try {
    return receiver.send(outgoing);
  } catch (error) {
    hub.report(error);
    receiver.missing(cursorBefore(hub, outgoing[0]!));
    return true;
  }
}

const cursorBefore = ({ cursors }: HubContext, { row }: MessageForm) => cursors.cursorOf(row.seq - 1);

/**
 * Notifies a receiver that messages after its cursor were deleted. Returns true if that was new: then what was read before may
 * have some of them, and is read again.
 */
async function notifyMissing(hub: HubContext, receiver: Receiver, swarms: readonly string[]): Promise<boolean> {
  const missing = await hub.messages.newestMissing({ id: receiver.resourceId, swarms });
  if (missing <= Math.max(receiver.cursor, receiver.notifiedUpTo)) return false;
  if (isOutdated(receiver)) return true;
  receiver.notifiedUpTo = missing;
  // A receiver that begins with the oldest message has missed nothing yet.
  if (receiver.cursor > 0) receiver.missing(hub.cursors.cursorOf(receiver.cursor));
  return true;
}

function goLive(hub: HubContext, receiver: Receiver, { rights, spent }: { rights: SwarmEnds; spent: Spent }): void {
  hub.receivers.goLive(receiver, rights);
  // The receiver has waited for its turn before it caught up, so this costs no other one.
  sendRecent(hub, receiver, (cost) => {
    spent.deliveries += cost;
    return true;
  });
  hub.recent.dropOldest(hub.receivers.due.size > 0);
  if (hub.receivers.due.has(receiver)) void sendDue(hub).catch(hub.report);
}

/** Sends to all receivers that are due, also to those that become due meanwhile. */
export async function sendDue(hub: HubContext): Promise<void> {
  for (const receiver of hub.receivers.due) {
    try {
      sendRecent(hub, receiver, (cost) => hub.deliveries.spend(receiver.userId, cost));
    } catch (error) {
      // The other receivers get their messages.
      hub.report(error);
      hub.receivers.catchUp(receiver);
      receiver.ended(new Problem('server.failed'));
    }
    if (hub.slices.isOver()) await hub.slices.yieldIfOver();
  }
  hub.recent.dropOldest(false);
}

/** Sends what it has not got of the messages in memory, in one write. If that is much, the rest is due. */
function sendRecent(hub: HubContext, receiver: Receiver, spend: (cost: number) => boolean): void {
  const { recent, receivers } = hub;
  const { messages: recentMessages } = recent;
  if (receiver.cursor < recent.from) return catchUpAgain(hub, receiver);
  const outgoing: MessageForm[] = [];
  let [bytes, cost] = [0, 0];
  let at = recentMessages.findLastIndex(({ last }) => last <= receiver.cursor) + 1;
  for (; at < recentMessages.length && bytes < sentAtOnce; at++) {
    const message = recentMessages[at]!;
    const row = message.rows.findLast((each) => isFor(receiver, each));
    if (!row) continue;
    bytes += message.size + headBytes;
    cost += costOf(message.size);
    outgoing.push(formOf(hub, message, row));
  }
  if (cost > 0 && !spend(cost)) return catchUpAgain(hub, receiver);
  receiver.cursor = Math.max(receiver.cursor, recentMessages[at - 1]?.last ?? 0);
  receivers.due.delete(receiver);
  if (at < recentMessages.length) receivers.due.add(receiver);
  if (!send(hub, receiver, outgoing)) return catchUpAgain(hub, receiver);
  if (!receivers.due.has(receiver)) receiver.started();
}

/** The form of a row, which is made once for all of its receivers. */
function formOf({ outgoingOf }: HubContext, { forms }: RecentMessage, row: MessageRow): MessageForm {
  const known = forms.get(row) ?? outgoingOf(row);
  forms.set(row, known);
  return known;
}

/** Whether a message was sent to one of these swarms, before the end of the membership there. */
function isBeforeEnd(rights: SwarmEnds, { swarm_id, sent_at }: Pick<MessageRow, 'swarm_id' | 'sent_at'>): boolean {
  const endsAt = rights.get(swarm_id);
  return endsAt === null || (endsAt !== undefined && sent_at < endsAt);
}

const isFor = ({ resourceId, swarms }: Receiver, row: MessageRow) =>
  isBeforeEnd(swarms!, row) && row.sender_id !== resourceId && (row.to_id === null || row.to_id === resourceId);

const costOf = (size: number) => Math.ceil((size + 1) / deliveryCosts.bytes);

/** Takes the first messages, up to so many bytes or one. */
function takeSlice(messages: ReceivedRow[], bytesAtMost: number): ReceivedRow[] {
  let bytes = 0;
  const more = messages.findIndex(({ size }, index) => (bytes += size + headBytes) > bytesAtMost && index > 0);
  return messages.splice(0, more === -1 ? messages.length : more);
}
