/** Says which messages of a swarm are beyond its allowance: in the reader thread, in half the time that SQL takes. */
import { defineShape } from '../../core/store/shape.ts';

interface StoredMessage {
  seq: number;
  sender_id: string;
  bytes: number;
  /** The sender is a member of the swarm. */
  is_member: 0 | 1;
}

interface Allowance {
  bytes: number;
  /** A message takes at least so many bytes of the allowance, so that their number is bounded too. */
  leastBytes: number;
  /** The last message of a member takes at least so many. */
  leastBytesOfLast: number;
}

/**
 * Gets the messages of a swarm, newest first. Returns the numbers of those beyond the allowance, oldest first: of the senders who have most,
 * their oldest ones. The last message of a member is in an allowance of its own, of which the oldest are beyond.
 */
export const beyondShare = defineShape(
  new URL('./beyond-share.shape.ts', import.meta.url),
  'beyondShare',
  (messages: readonly StoredMessage[], allowance: Allowance): { seq: number }[] => {
    const bytesBySender = new Map<string, number>();
    const last: { seq: number; bytes: number }[] = [];
    const others: { seq: number; bytes: number; ofSender: number }[] = [];
    for (const { seq, sender_id, bytes: stored, is_member } of messages) {
      const newer = bytesBySender.get(sender_id) ?? 0;
      const bytes = Math.max(stored, allowance.leastBytes);
      const ofSender = newer + bytes;
      bytesBySender.set(sender_id, ofSender);
      if (newer === 0 && is_member === 1) last.push({ seq, bytes: Math.max(stored, allowance.leastBytesOfLast) });
      else others.push({ seq, bytes, ofSender });
    }
    others.sort((a, b) => a.ofSender - b.ofSender || b.seq - a.seq);
    return [...beyond(last, allowance.bytes), ...beyond(others, allowance.bytes)].sort((a, b) => a.seq - b.seq);
  },
);

function beyond(messages: readonly { seq: number; bytes: number }[], most: number): { seq: number }[] {
  let used = 0;
  return messages.filter(({ bytes }) => (used += bytes) > most).map(({ seq }) => ({ seq }));
}
