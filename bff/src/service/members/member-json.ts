/** Members of a swarm, as the spec's JSON. */
import type { ListedMember, MemberRole, SwarmMember } from '../../contract.ts';
import { inJson, type ChunkFormat, type Key } from '../endpoint/list-chunks.store.ts';

export interface MemberRow {
  resource_id: string;
  resource_type: MemberRole;
  user_id: string;
  member_since: string;
}

/** `urls`: where the addresses of resources begin. */
export const memberOf = (urls: string, row: Omit<MemberRow, 'member_since'>): SwarmMember => ({
  resource_id: row.resource_id,
  resource_type: row.resource_type,
  user_id: row.user_id,
  url: urls + row.resource_id,
});

/** Without a spread, which costs a tenth of a long list. */
export const listedMemberOf = (urls: string, row: MemberRow): ListedMember => ({
  resource_id: row.resource_id,
  resource_type: row.resource_type,
  user_id: row.user_id,
  url: urls + row.resource_id,
  member_since: row.member_since,
});

const memberKey = ({ member_since, resource_id }: MemberRow): Key => [member_since, resource_id];

/** `isListed`: with the time since when they are members. */
export function memberFormat({ urls, isListed }: { urls: string; isListed: boolean }): ChunkFormat<MemberRow> {
  const recordOf = isListed ? listedMemberOf : memberOf;
  return inJson(memberKey, (row) => recordOf(urls, row));
}
