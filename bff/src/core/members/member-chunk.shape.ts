/** Members of a swarm as JSON, made where they are read. */
import { defineShape } from '../store/shape.ts';
import { bytesChunkOf } from '../endpoint/list-chunks.ts';
import { memberFormat, textsBySwarm, type MemberFormat, type MemberOfSwarm, type MemberRow } from './member-json.ts';

/** A chunk of a long list. */
export const memberChunk = defineShape(
  new URL('./member-chunk.shape.ts', import.meta.url),
  'memberChunk',
  (rows: readonly MemberRow[], options: MemberFormat) => [bytesChunkOf(rows, memberFormat(options))],
);

/** The members of several swarms, by swarm. */
export const membersBySwarm = defineShape(
  new URL('./member-chunk.shape.ts', import.meta.url),
  'membersBySwarm',
  (rows: readonly MemberOfSwarm[], { urls }: { urls: string }) =>
    textsBySwarm(rows, urls).map((members) => ({ ...members, made: members.text.length })),
);
