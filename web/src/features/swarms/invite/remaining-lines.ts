import type { ActionItem, ActionResult } from '@swarmdeck/bff/contract';
import { openKey, withoutLines, type Problem } from './invite-check.ts';
import { codeLine, type CodeLine, type InviteCode } from './invite-codes.ts';

/** An invitation of an ended action, with its result: undefined if the user has stopped the action before its turn. */
export type SentLine = ActionItem<'invite'> & { result: ActionResult | undefined };

interface RemainingOptions {
  text: string;
  /** The action was made from this text. */
  isSent: boolean;
  /** The lines of the text. */
  lines: readonly CodeLine[];
  sent: readonly SentLine[];
}

/**
 * The text after an action has ended. If the action was made from this text, lines with sent invitations are removed, and
 * headers without rows. An empty text gets the lines that another page could not send. Any other text is being edited
 * and stays.
 */
export function remainingText({ text, isSent, lines, sent }: RemainingOptions): string {
  if (isSent) {
    const keys = linesByKey({ lines, sent });
    const done = new Set(sent.filter(({ result }) => result === null).map(keyOf));
    const removed = keys.filter(([key]) => done.has(key));
    if (removed.length === lines.length) return '';
    return withoutLines(text, new Set(removed.map(([, line]) => line)));
  }
  if (text.trim() !== '') return text;
  const unsent = sent.filter(({ result }) => result !== null);
  return unsent
    .map(({ label, resource_type: role, ...code }) =>
      label ? codeLine(code, { label, role }) : `${code.to},${code.resource_id},${role}`,
    )
    .join('\n');
}

export const keyOf = (item: ActionItem<'invite'>) => openKey(item, item.resource_type);

interface LinesByKeyOptions {
  lines: readonly CodeLine[];
  sent: readonly SentLine[];
}

/** The line numbers by the invitation that was made of the line. */
export function linesByKey({ lines, sent }: LinesByKeyOptions): [key: string, line: number][] {
  const read = lines.flatMap((line) => ('code' in line ? [line] : []));
  const deviceOf = ({ to, resource_id }: InviteCode) => `${to}/${resource_id}`;
  // At most one invitation was made of the lines of a device.
  const sentOf = new Map(sent.map((item) => [deviceOf(item), item.resource_type]));
  return read.map(({ line, code, role }) => {
    const sentRole = sentOf.get(deviceOf(code));
    const own = role === undefined || role === 'both' || sentRole === 'both' ? sentRole : role;
    return [openKey(code, own ?? 'producer'), line];
  });
}

/** Codes of errors of the invitation itself: sending it again would fail again. */
const permanent = new Set([
  'resource.not_theirs',
  'invitation.to_yourself',
  'invitation.to_owner',
  'membership.exists',
  'swarm.not_found',
  'swarm.forbidden',
]);

/** The permanent errors of invitations, by `openKey`. */
export function failuresOf(sent: readonly SentLine[]): Map<string, Problem> {
  return new Map(
    sent.flatMap((line): [string, Problem][] =>
      line.result && permanent.has(codeOf(line.result)) ? [[keyOf(line), line.result]] : [],
    ),
  );
}

/** The code of the first rejected field, else of the whole item. It selects the short message. */
const codeOf = ({ code, errors }: Problem) => errors?.[0]?.code ?? code;
