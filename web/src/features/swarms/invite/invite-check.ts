/** Checks each pasted line before anything is sent. */
import type { ActionItem, ActionResult, InvitationRole, MemberRole } from '@swarmdeck/bff/contract';
import type { CodeError, CodeLine, InviteCode } from './invite-codes.ts';

/**
 * The known state of the swarm: the roles of members by resource id, and the times of open invitations by `openKey`.
 */
export interface Known {
  members: ReadonlyMap<string, MemberRole>;
  open: ReadonlyMap<string, string>;
}

export type Problem = NonNullable<ActionResult>;

export type Verdict =
  | { kind: 'ready' }
  | { kind: 'again'; sent_at: string }
  | { kind: 'twice'; first: number }
  | { kind: 'member' }
  | { kind: 'own' }
  | { kind: 'failed'; problem: Problem }
  | { kind: 'malformed'; error: CodeError };

export interface CheckedLine {
  line: number;
  text: string;
  /** Null if the line is malformed. */
  code: InviteCode | null;
  role: InvitationRole;
  /** The line itself names the role. */
  namesRole: boolean;
  verdict: Verdict;
}

export const noneKnown: Known = { members: new Map(), open: new Map() };

/** A user can be invited with one device in both roles; each is a separate invitation. */
export const openKey = ({ to, resource_id }: InviteCode, role: InvitationRole) => `${to}/${resource_id}/${role}`;

export function checkCodes({
  lines,
  role: chosen,
  user_id,
  known,
  failed = new Map(),
}: {
  lines: readonly CodeLine[];
  /** The role of lines without a role. */
  role: InvitationRole;
  /** The inviting user. */
  user_id: string;
  known: Known;
  /** Errors by `openKey`, if sending the same again would fail again. */
  failed?: ReadonlyMap<string, Problem>;
}): CheckedLine[] {
  const firsts = new Map<string, number>();

  function verdictOf({ line, code, role }: { line: number; code: InviteCode; role: InvitationRole }): Verdict {
    const key = openKey(code, role);
    const first = firsts.get(key);
    if (first !== undefined) return { kind: 'twice', first };
    firsts.set(key, line);
    if (code.to === user_id) return { kind: 'own' };
    const held = known.members.get(code.resource_id);
    if (held === role || held === 'both') return { kind: 'member' };
    const problem = failed.get(key);
    if (problem) return { kind: 'failed', problem };
    const sent_at = known.open.get(key);
    return sent_at === undefined ? { kind: 'ready' } : { kind: 'again', sent_at };
  }

  return lines.map((read) => {
    const { line, text } = read;
    if ('error' in read) {
      const verdict: Verdict = { kind: 'malformed', error: read.error };
      return { line, text, code: null, role: chosen, namesRole: false, verdict };
    }
    const { code, role = chosen } = read;
    return { line, text, code, role, namesRole: read.role !== undefined, verdict: verdictOf({ line, code, role }) };
  });
}

export interface CheckCounts {
  ready: number;
  again: number;
  left_out: number;
  malformed: number;
  /** The number of invited users. */
  people: number;
  /** The number of invitations per role. */
  roles: Record<InvitationRole, number>;
}

export function countChecked(lines: readonly CheckedLine[]): CheckCounts {
  const of = (...kinds: Verdict['kind'][]) => lines.filter(({ verdict }) => kinds.includes(verdict.kind)).length;
  const sent = toSend(lines);
  const inRole = (role: InvitationRole) => sent.filter(({ resource_type }) => resource_type === role).length;
  return {
    ready: of('ready'),
    again: of('again'),
    left_out: of('twice', 'member', 'own', 'failed'),
    malformed: of('malformed'),
    people: new Set(sent.map(({ to }) => to)).size,
    roles: { producer: inRole('producer'), consumer: inRole('consumer') },
  };
}

/** The invitations to send. */
export function toSend(lines: readonly CheckedLine[]): ActionItem<'invite'>[] {
  return lines.flatMap(({ line, code, role, verdict: { kind } }) =>
    code && (kind === 'ready' || kind === 'again') ? [{ line, ...code, resource_type: role }] : [],
  );
}

/** The text without these lines, and without empty lines at its start and end. */
export function withoutLines(text: string, removed: ReadonlySet<number>): string {
  const lines = text.split(/\r\n|[\n\r]/).filter((_line, index) => !removed.has(index + 1));
  const isFilled = (line: string) => line !== '';
  return lines.slice(lines.findIndex(isFilled), lines.findLastIndex(isFilled) + 1).join('\n');
}
