/** Members of a swarm as JSON, made where they are read. */
import { defineShape } from '../../store/shape.ts';
import { textChunkOf } from '../endpoint/list-chunks.store.ts';
import { listedMemberOf, memberKey, memberOf, type MemberRow } from './member-json.ts';

/** A chunk of a long list. */
export const memberChunk = defineShape(
  new URL('./member-chunk.shape.ts', import.meta.url),
  'memberChunk',
  (rows: readonly MemberRow[], { urls, isListed }: { urls: string; isListed: boolean }) => {
    const recordOf = isListed ? listedMemberOf : memberOf;
    return [textChunkOf(rows, { keyOf: memberKey, recordOf: (row) => recordOf(urls, row) })];
  },
);
