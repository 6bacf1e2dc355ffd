/** Checks each pasted line before anything is sent. */
import type { ActionItem, ActionResult, InvitationRole, MemberRole } from '@swarmdeck/bff/contract';
import type { CodeError, CodeLine, InviteCode } from './invite-codes.ts';

/**
 * The known state of the swarm: the roles of members and the ends of those that have one, by resource id, and the times of open
 * invitations by `openKey`.
 */
export interface Known {
  members: ReadonlyMap<string, MemberRole>;
  ends: ReadonlyMap<string, string>;
  open: ReadonlyMap<string, string>;
}

export type Problem = NonNullable<ActionResult>;

export type Verdict =
  | { kind: 'ready' }
  /** A member that ends at `ends_at`: a later end is offered. */
  | { kind: 'later'; ends_at: string }
  /** A member that ends at `ends_at`, if at all, gets its other role: what becomes of that end. */
  | { kind: 'other_role'; ends_at: string | undefined; becomes: 'replaced' | 'limited' | 'kept' }
  /** `kept`: the open invitation for the other role, which is not sent again. */
  | { kind: 'again'; sent_at: string; kept?: InvitationRole }
  | { kind: 'twice'; first: number }
  /** Another role of the device of an earlier line. */
  | { kind: 'pair'; first: number }
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
  /** The role of its invitation: of both, the one that a member does not have; both if a later line has the other one. */
  sent: MemberRole;
  verdict: Verdict;
}

export const noneKnown: Known = { members: new Map(), ends: new Map(), open: new Map() };

/** An invitation: a device can be invited in each role. For both, it is the key of the row. */
export const openKey = ({ to, resource_id }: InviteCode, role: MemberRole) => `${to}/${resource_id}/${role}`;

const rolesOf = (role: MemberRole): InvitationRole[] => (role === 'both' ? ['producer', 'consumer'] : [role]);

/** The roles of `role` that a device does not have, if it has one of both. */
function missingOf(role: MemberRole, current: MemberRole | undefined): MemberRole {
  if (role !== 'both' || current === undefined || current === 'both') return role;
  return current === 'producer' ? 'consumer' : 'producer';
}

/** The device has one of both roles, so that it is invited in the other one. */
export const hasOneRole = (line: CheckedLine): line is CheckedLine & { sent: InvitationRole } =>
  line.role === 'both' && line.sent !== 'both';

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
  /** The end that is offered. */
  ends_at?: string | undefined;
  /** Errors by `openKey`, if sending the same again would fail again. */
  failed?: ReadonlyMap<string, Problem>;
}

export function checkCodes({
  lines,
  role: chosen,
  user_id,
  owner = user_id,
  known,
  ends_at,
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
    const end = known.ends.get(code.resource_id);
    const isMember = current === role || current === 'both';
    const isLater = isMember && end !== undefined && ends_at !== undefined && end < ends_at;
    if (isMember && !isLater) return { kind: 'member' };
    const problem = failed.get(openKey(code, missingOf(role, current)));
    if (problem) return { kind: 'failed', problem };
    const open = rolesOf('both').filter((each) => known.open.has(openKey(code, each)));
    const sent = rolesOf(missingOf(role, current));
    const again = open.find((each) => sent.includes(each));
    const kept = open.find((each) => !sent.includes(each));
    if (again) return { kind: 'again', sent_at: known.open.get(openKey(code, again))!, ...(kept && { kept }) };
    if (isLater) return { kind: 'later', ends_at: end };
    if (current === undefined || end === ends_at) return { kind: 'ready' };
    const becomes = ends_at === undefined ? 'kept' : end === undefined ? 'limited' : 'replaced';
    return { kind: 'other_role', ends_at: end, becomes };
  }

  const checked = lines.map((read): CheckedLine => {
    const { line, text } = read;
    if ('error' in read) {
      const verdict: Verdict = { kind: 'malformed', error: read.error };
      return { line, text, code: null, role: chosen, namesRole: false, sent: chosen, verdict };
    }
    const { code, role = chosen, label } = read;
    const verdict = verdictOf({ line, code, role });
    const sent = missingOf(role, known.members.get(code.resource_id));
    return { line, text, code, ...(label && { label }), role, namesRole: read.role !== undefined, sent, verdict };
  });
  return inPairs(checked, failed);
}

/** What is sent for the first time. */
const newKinds = ['ready', 'later', 'other_role'] as const satisfies readonly Verdict['kind'][];
const isOf =
  (kinds: readonly Verdict['kind'][]) =>
  ({ verdict }: CheckedLine) =>
    kinds.includes(verdict.kind);
const isNew = isOf(newKinds);
const isSent = isOf([...newKinds, 'again']);

/** Two lines with the roles of one device are one invitation for both, as its owner gets it. */
function inPairs(lines: readonly CheckedLine[], failed: ReadonlyMap<string, Problem>): CheckedLine[] {
  const deviceOf = ({ code }: CheckedLine) => code && `${code.to}/${code.resource_id}`;
  const ofDevice = Map.groupBy(lines.filter(isSent), deviceOf);
  return lines.map((line) => {
    const [first, ...others] = (isSent(line) && ofDevice.get(deviceOf(line))) || [];
    if (!first || others.length === 0) return line;
    if (line !== first) return { ...line, verdict: { kind: 'pair', first: first.line } };
    const problem = failed.get(openKey(line.code!, 'both'));
    if (problem) return { ...line, verdict: { kind: 'failed', problem } };
    const { verdict } = others.find((other) => other.verdict.kind === 'again') ?? line;
    if (others.every((other) => other.sent === line.sent)) return { ...line, verdict };
    const ofBoth: Verdict = verdict.kind === 'again' ? { kind: 'again', sent_at: verdict.sent_at } : verdict;
    return { ...line, sent: 'both', verdict: ofBoth };
  });
}

export interface CheckCounts {
  ready: number;
  again: number;
  /** The number of open invitations for the other role, which stay as they are. */
  kept: number;
  /** Ready or again: how many are sent. */
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
  const of = (...kinds: Verdict['kind'][]) => lines.filter(isOf(kinds)).length;
  const items = toSend(lines);
  const inRole = (role: MemberRole) => items.filter(({ resource_type }) => resource_type === role).length;
  const added = lines.filter(isNew).map(({ sent, verdict }) => (verdict.kind === 'later' ? 1 : rolesOf(sent).length));
  return {
    ready: of(...newKinds),
    again: of('again'),
    kept: lines.filter(({ verdict }) => verdict.kind === 'again' && verdict.kept).length,
    to_send: items.length,
    left_out: of('twice', 'pair', 'member', 'own', 'failed'),
    malformed: of('malformed'),
    people: new Set(items.map(({ to }) => to)).size,
    roles: { producer: inRole('producer'), consumer: inRole('consumer'), both: inRole('both') },
    added: added.reduce((sum, count) => sum + count, 0),
  };
}

/** The invitations to send. */
export function toSend(lines: readonly CheckedLine[]): ActionItem<'invite'>[] {
  return lines.filter(isSent).map((checked) => {
    const { line, code, sent, label } = checked;
    return { line, ...code!, resource_type: sent, ...(label && { label }) };
  });
}

/** The text without these lines, and without empty lines at its start and end. */
export function withoutLines(text: string, removed: ReadonlySet<number>): string {
  const lines = text.split(/\r\n|[\n\r]/).filter((_line, index) => !removed.has(index + 1));
  const isFilled = (line: string) => line !== '';
  return lines.slice(lines.findIndex(isFilled), lines.findLastIndex(isFilled) + 1).join('\n');
}
