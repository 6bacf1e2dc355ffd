/** What would become of each pasted line, as far as it can be known before anything is sent. */
import type { InvitationRole, MemberRole } from '@swarmdeck/bff/contract';
import type { CodeFault, CodeLine, InviteCode } from './invite-codes.ts';

/** What is known of the swarm: who is in it, and since when somebody has been asked. By `keyOf`. */
export interface Known {
  members: ReadonlyMap<string, MemberRole>;
  open: ReadonlyMap<string, string>;
}

export type Verdict =
  | { kind: 'ready'; code: InviteCode }
  | { kind: 'again'; code: InviteCode; sent_at: string }
  | { kind: 'twice'; first: number }
  | { kind: 'member' }
  | { kind: 'own' }
  | { kind: 'malformed'; fault: CodeFault };

export interface CheckedLine {
  line: number;
  text: string;
  verdict: Verdict;
}

export const noneKnown: Known = { members: new Map(), open: new Map() };

/** A user can be asked for one device in either role, and each is an invitation of its own. */
export const openKey = ({ to, resource_id }: InviteCode, role: InvitationRole) => `${to}/${resource_id}/${role}`;

export function checkCodes(asked: {
  lines: readonly CodeLine[];
  role: InvitationRole;
  /** Who invites. */
  user_id: string;
  known: Known;
}): CheckedLine[] {
  const { lines, role, user_id, known } = asked;
  const firsts = new Map<string, number>();

  function verdictOf(line: CodeLine): Verdict {
    if ('fault' in line) return { kind: 'malformed', fault: line.fault };
    const { code } = line;
    const key = `${code.to}/${code.resource_id}`;
    const first = firsts.get(key);
    if (first !== undefined) return { kind: 'twice', first };
    firsts.set(key, line.line);
    if (code.to === user_id) return { kind: 'own' };
    const held = known.members.get(code.resource_id);
    if (held === role || held === 'both') return { kind: 'member' };
    const sent_at = known.open.get(openKey(code, role));
    return sent_at === undefined ? { kind: 'ready', code } : { kind: 'again', code, sent_at };
  }

  return lines.map((line) => ({ line: line.line, text: line.text, verdict: verdictOf(line) }));
}

export interface CheckCounts {
  ready: number;
  again: number;
  left_out: number;
  malformed: number;
  /** To how many users the invitations go. */
  people: number;
}

export function countChecked(lines: readonly CheckedLine[]): CheckCounts {
  const of = (...kinds: Verdict['kind'][]) => lines.filter(({ verdict }) => kinds.includes(verdict.kind)).length;
  return {
    ready: of('ready'),
    again: of('again'),
    left_out: of('twice', 'member', 'own'),
    malformed: of('malformed'),
    people: new Set(toSend(lines).map(({ code }) => code.to)).size,
  };
}

/** What goes out, each with the line it came from. */
export function toSend(lines: readonly CheckedLine[]): { line: number; code: InviteCode; again: boolean }[] {
  return lines.flatMap(({ line, verdict }) =>
    verdict.kind === 'ready' || verdict.kind === 'again'
      ? [{ line, code: verdict.code, again: verdict.kind === 'again' }]
      : [],
  );
}

/** The text without these lines; the others keep their order. */
export function withoutLines(text: string, gone: ReadonlySet<number>): string {
  return text
    .split(/\r\n|[\n\r]/)
    .filter((_line, index) => !gone.has(index + 1))
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}
