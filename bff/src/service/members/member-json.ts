/** Members of a swarm, as the spec's JSON. */
import type { ListedMember, MemberRole, SwarmMember } from '../../contract.ts';
import { inJson, type ChunkFormat, type Key } from '../endpoint/list-chunks.store.ts';

export interface MemberRow {
  resource_id: string;
  resource_type: MemberRole;
  user_id: string;
  member_since: string;
  ends_at: string | null;
  ends_at_most: string | null;
}

/** `urls`: where the addresses of resources begin. */
export function memberOf(urls: string, row: Omit<MemberRow, 'member_since'>): SwarmMember {
  const { resource_id, resource_type, user_id } = row;
  return withEnd({ resource_id, resource_type, user_id, url: urls + resource_id }, row);
}

export function listedMemberOf(urls: string, row: MemberRow): ListedMember {
  const { resource_id, resource_type, user_id, member_since } = row;
  return withEnd({ resource_id, resource_type, user_id, url: urls + resource_id, member_since }, row);
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

/** `isListed`: with the time since when they are members. */
export function memberFormat({ urls, isListed }: { urls: string; isListed: boolean }): ChunkFormat<MemberRow> {
  const recordOf = isListed ? listedMemberOf : memberOf;
  return inJson(memberKey, (row) => recordOf(urls, row));
}
