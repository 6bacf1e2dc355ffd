/** Members of a swarm, as the spec's JSON. */
import type { ListedMember, MemberRole, SwarmMember } from '../../contract.ts';
import { inJson, type ChunkFormat, type Key } from '../endpoint/list-chunks.ts';

export interface MemberRow {
  resource_id: string;
  resource_type: MemberRole;
  user_id: string;
  member_since: string;
  ends_at: string | null;
  ends_at_most: string | null;
  shown_by_links: number;
}

/** `urls`: where the addresses of resources begin. */
export function memberOf(urls: string, row: Omit<MemberRow, 'member_since' | 'shown_by_links'>): SwarmMember {
  const { resource_id, resource_type, user_id } = row;
  return withEnd({ resource_id, resource_type, user_id, url: urls + resource_id }, row);
}

/** `viewer`: who sees it. Only the owner of the resource sees whether links show it. */
export function listedMemberOf(urls: string, row: MemberRow, viewer: string): ListedMember {
  const { resource_id, resource_type, user_id, member_since } = row;
  const member: ListedMember = { resource_id, resource_type, user_id, url: urls + resource_id, member_since };
  if (row.shown_by_links === 1 && user_id === viewer) member.shown_by_links = true;
  return withEnd(member, row);
}

/** Without a spread, which costs a tenth of a long list. Most members have no end. */
function withEnd<Member extends SwarmMember>(
  member: Member,
  { ends_at, ends_at_most }: Pick<MemberRow, 'ends_at' | 'ends_at_most'>,
): Member {
  if (ends_at !== null) member.ends_at = ends_at;
  if (ends_at_most !== null) member.ends_at_most = ends_at_most;
  return member;
}

const memberKey = ({ member_since, resource_id }: MemberRow): Key => [member_since, resource_id];

export interface MemberFormat {
  urls: string;
  /** The list is for this user, who sees since when they are members. */
  viewer?: string;
}

export const memberFormat = ({ urls, viewer }: MemberFormat): ChunkFormat<MemberRow> =>
  inJson(memberKey, (row) => (viewer === undefined ? memberOf(urls, row) : listedMemberOf(urls, row, viewer)));

export interface MemberOfSwarm extends MemberRow {
  swarm_id: string;
}

/** The members of each swarm, as the items of a JSON array, without its brackets. */
export interface MembersOfSwarm {
  id: string;
  text: string;
}

export function textsBySwarm(rows: readonly MemberOfSwarm[], urls: string): MembersOfSwarm[] {
  const { textOf } = memberFormat({ urls });
  return [...Map.groupBy(rows, ({ swarm_id }) => swarm_id)].map(([id, members]) => ({ id, text: textOf(members) }));
}
