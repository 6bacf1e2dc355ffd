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
  label?: string;
  role: MemberRole;
  /** The line itself names the role. */
  namesRole: boolean;
  verdict: Verdict;
}

export const noneKnown: Known = { members: new Map(), open: new Map() };

/** An invitation: a device can be invited in each role. For both, it is the key of the row. */
export const openKey = ({ to, resource_id }: InviteCode, role: MemberRole) => `${to}/${resource_id}/${role}`;

const rolesOf = (role: MemberRole): InvitationRole[] => (role === 'both' ? ['producer', 'consumer'] : [role]);

const toOwner: Problem = { code: 'body.invalid', errors: [{ pointer: '/to', code: 'invitation.to_owner' }] };

interface CheckCodesOptions {
  lines: readonly CodeLine[];
  /** The role of lines without a role. */
  role: MemberRole;
  /** The inviting user. */
  user_id: string;
  /** The owner of the swarm, whose devices are not invited. */
  owner?: string;
  known: Known;
  /** Errors by `openKey`, if sending the same again would fail again. */
  failed?: ReadonlyMap<string, Problem>;
}

export function checkCodes({
  lines,
  role: chosen,
  user_id,
  owner = user_id,
  known,
  failed = new Map(),
}: CheckCodesOptions): CheckedLine[] {
  const firsts = new Map<string, number>();

  function verdictOf({ line, code, role }: { line: number; code: InviteCode; role: MemberRole }): Verdict {
    const keys = rolesOf(role).map((each) => openKey(code, each));
    const [first, ...others] = keys.map((key) => firsts.get(key));
    if (first !== undefined && !others.includes(undefined)) return { kind: 'twice', first };
    for (const key of keys) firsts.set(key, line);
    if (code.to === owner) return owner === user_id ? { kind: 'own' } : { kind: 'failed', problem: toOwner };
    const current = known.members.get(code.resource_id);
    if (current === role || current === 'both') return { kind: 'member' };
    const problem = failed.get(openKey(code, role));
    if (problem) return { kind: 'failed', problem };
    const sent_at = keys.map((key) => known.open.get(key)).find((time) => time !== undefined);
    return sent_at === undefined ? { kind: 'ready' } : { kind: 'again', sent_at };
  }

  return lines.map((read) => {
    const { line, text } = read;
    if ('error' in read) {
      const verdict: Verdict = { kind: 'malformed', error: read.error };
      return { line, text, code: null, role: chosen, namesRole: false, verdict };
    }
    const { code, role = chosen, label } = read;
    const verdict = verdictOf({ line, code, role });
    return { line, text, code, ...(label && { label }), role, namesRole: read.role !== undefined, verdict };
  });
}

export interface CheckCounts {
  ready: number;
  again: number;
  /** Both of these: how many are sent. */
  to_send: number;
  left_out: number;
  malformed: number;
  /** The number of invited users. */
  people: number;
  /** The number of invitations per role. */
  roles: Record<MemberRole, number>;
  /** The number of invitations that become open, two for both roles. */
  added: number;
}

export function countChecked(lines: readonly CheckedLine[]): CheckCounts {
  const of = (...kinds: Verdict['kind'][]) => lines.filter(({ verdict }) => kinds.includes(verdict.kind)).length;
  const sent = toSend(lines);
  const inRole = (role: MemberRole) => sent.filter(({ resource_type }) => resource_type === role).length;
  const added = lines.filter(({ verdict }) => verdict.kind === 'ready').map(({ role }) => rolesOf(role).length);
  return {
    ready: of('ready'),
    again: of('again'),
    to_send: sent.length,
    left_out: of('twice', 'member', 'own', 'failed'),
    malformed: of('malformed'),
    people: new Set(sent.map(({ to }) => to)).size,
    roles: { producer: inRole('producer'), consumer: inRole('consumer'), both: inRole('both') },
    added: added.reduce((sum, count) => sum + count, 0),
  };
}

/** The invitations to send. */
export function toSend(lines: readonly CheckedLine[]): ActionItem<'invite'>[] {
  return lines.flatMap(({ line, code, label, role, verdict: { kind } }) =>
    code && (kind === 'ready' || kind === 'again')
      ? [{ line, ...code, resource_type: role, ...(label && { label }) }]
      : [],
  );
}

/** The text without these lines, and without empty lines at its start and end. */
export function withoutLines(text: string, removed: ReadonlySet<number>): string {
  const lines = text.split(/\r\n|[\n\r]/).filter((_line, index) => !removed.has(index + 1));
  const isFilled = (line: string) => line !== '';
  return lines.slice(lines.findIndex(isFilled), lines.findLastIndex(isFilled) + 1).join('\n');
}
