import { openKey, withoutLines } from './invite-check.ts';
import type { CheckedLine, InviteRow } from './invite-check.ts';
import type { SendQueue, SendResult } from '../send-queue.ts';
import { refusedAt } from './refused-at.ts';

export interface InviteAbout {
  swarm: { id: string; name: string };
  message: string;
}

export type InviteQueue = SendQueue<InviteAbout, InviteRow>;

/** An invitation with its result; null until there is one. */
export type SentLine = InviteRow & { end: SendResult | null };

/**
 * The text after a job has ended. If the job was made from this text, all lines that say what was sent are removed,
 * and headers with no rows left. An empty text gets the lines that another page could not send. Any other text is
 * being edited and stays.
 */
export function leftOf({
  text,
  isSent,
  checked,
  lines,
}: {
  text: string;
  /** The job was made from this text. */
  isSent: boolean;
  checked: readonly CheckedLine[];
  lines: readonly SentLine[];
}): string {
  if (isSent) {
    const sent = new Set(lines.flatMap(({ code, role, end }) => (end?.ok ? [openKey(code, role)] : [])));
    const gone = checked.filter(({ code, role }) => code && sent.has(openKey(code, role)));
    return gone.length === checked.length ? '' : withoutLines(text, new Set(gone.map(({ line }) => line)));
  }
  if (text.trim() !== '') return text;
  const left = lines.filter(({ end }) => !end?.ok);
  return left.map(({ code, role }) => `${code.to},${code.resource_id},${role}`).join('\n');
}

/** Problems of the invitation itself: sending the same again fails again. */
const permanent = new Set([
  'resource.not_theirs',
  'invitation.to_yourself',
  'membership.exists',
  'swarm.not_found',
  'swarm.forbidden',
]);

/** Why invitations failed that cannot succeed if they are sent again, by `openKey`. */
export function failuresOf(lines: readonly SentLine[]): Map<string, unknown> {
  return new Map(
    lines.flatMap(({ code, role, end }): [string, unknown][] => {
      const error = end && 'error' in end ? end.error : undefined;
      return permanent.has(refusedAt(error)) ? [[openKey(code, role), error]] : [];
    }),
  );
}
