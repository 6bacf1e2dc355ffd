import type { InvitationItem, InvitationSwarm, MemberRole } from '@swarmdeck/bff/contract';
import { isOver } from '../../../shared/actions/answers.tsx';

export interface SwarmSummary {
  swarm: InvitationSwarm;
  /** One invitation of each device, and the role that the device gets. */
  devices: { item: InvitationItem; role: MemberRole; messages: string[] }[];
  /** What was written with the invitations, if it is the same for all devices. */
  message: string | undefined;
}

interface BulkSummary {
  swarms: SwarmSummary[];
  /** The number of distinct devices. */
  devices: number;
  /** The sum of the members of these swarms. */
  members: number;
}

/** Summarises invitations: the swarms in the order of the list, each with its devices and the offered roles. */
export function summarise(items: readonly InvitationItem[]): BulkSummary {
  const bySwarm = Map.groupBy(items, ({ swarm }) => swarm.id);
  const swarms = [...bySwarm.values()].map((ofSwarm) => {
    const byDevice = Map.groupBy(ofSwarm, ({ resource_id }) => resource_id);
    const devices = [...byDevice.values()].map(([item, ...others]) => ({
      item: item!,
      role: roleOf(item!, others),
      messages: messagesOf([item!, ...others]),
    }));
    const [message, ...more] = messagesOf(ofSwarm);
    const isSame = more.length === 0 && ofSwarm.every(({ description }) => description === message);
    return { swarm: ofSwarm[0]!.swarm, devices, message: isSame ? message : undefined };
  });
  return {
    swarms,
    devices: new Set(items.map(({ resource_id }) => resource_id)).size,
    members: swarms.reduce((sum, { swarm }) => sum + (swarm.member_count ?? 0), 0),
  };
}

/** The summary of those of the selected invitations that are withdrawn or can be accepted. */
export interface AnsweredSummary extends BulkSummary {
  answered: readonly InvitationItem[];
  /** The answered invitations whose devices join, and how many devices are members that stay longer. */
  joining: Pick<BulkSummary, 'swarms' | 'devices'>;
  staying: number;
  /** How many others there are, whose time is over. */
  over: number;
}

/** What else the owner of the devices agrees to: messages that are sent or received, and ends. */
export function consentOf({ swarms }: Pick<BulkSummary, 'swarms'>) {
  const isAny = (is: (device: SwarmSummary['devices'][number]) => boolean) =>
    swarms.some(({ devices }) => devices.some(is));
  const sends = isAny(({ role }) => role !== 'consumer') && ('sends' as const);
  const receives = isAny(({ role }) => role !== 'producer') && ('receives' as const);
  const ends = isAny(({ item }) => (item.ends_at ?? item.other_role_ends_at ?? null) !== null) && ('ends' as const);
  return [sends, receives, ends].filter((each) => each !== false);
}

/** When the last of those that are over ended, in ms. Until the next one ends, the same invitations are over. */
export function lastEndOf(items: readonly InvitationItem[], now: number): number | null {
  let last: number | null = null;
  for (const { ends_at } of items) {
    const end = ends_at === undefined ? Infinity : Date.parse(ends_at);
    if (end <= now && (last === null || end > last)) last = end;
  }
  return last;
}

/** `lastEnd`: of `lastEndOf`. */
export function summariseAnswered(items: readonly InvitationItem[], lastEnd: number | null): AnsweredSummary {
  const answered = lastEnd === null ? items : items.filter((item) => !isOver(item, lastEnd));
  const isLaterEnd = ({ is_later_end }: InvitationItem) => is_later_end === true;
  const all = summarise(answered);
  const staying = summarise(answered.filter(isLaterEnd)).devices;
  return {
    ...all,
    answered,
    joining: staying === 0 ? all : summarise(answered.filter((item) => !isLaterEnd(item))),
    staying,
    over: items.length - answered.length,
  };
}

const messagesOf = (items: readonly InvitationItem[]) => [
  ...new Set(items.flatMap(({ description }) => (description === undefined ? [] : [description]))),
];

/** Two invitations to one swarm give a device both roles. */
function roleOf({ resource_type }: InvitationItem, others: readonly InvitationItem[]): MemberRole {
  return others.some((other) => other.resource_type !== resource_type) ? 'both' : resource_type;
}
