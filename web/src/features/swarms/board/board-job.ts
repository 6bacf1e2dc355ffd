import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { KeptJob, KeptJobs } from '../../../api/jobs/kept-jobs.ts';

export type BoardAct = 'withdraw' | 'send_again';

/** As much of an invitation as it takes to withdraw it, or to send it again. */
export type BoardRow = Pick<InvitationItem, 'id' | 'to' | 'resource_id' | 'resource_type' | 'description'> & {
  swarm: Pick<InvitationItem['swarm'], 'id'>;
};

export interface BoardJob {
  key: string;
  act: BoardAct;
  state: 'waiting' | 'sending' | 'paused';
  items: ReadonlyMap<string, BoardRow>;
  total: number;
  /** Of these, how many have come to an end, how many of them were refused, and why the last one was. */
  done: number;
  failed: number;
  error: unknown;
}

/** What is kept of a job beside its rows; of a row that has come to an end, whether it was done. */
interface KeptBoardAct {
  act: BoardAct;
  paused: boolean;
}
export type KeptBoard = KeptJobs<KeptBoardAct, BoardRow, boolean>;

export interface BoardJobs {
  /** Begins to wait. What waits or is on its way already is left out. */
  add(options: { act: BoardAct; items: readonly BoardRow[] }): void;
  /** Takes up what another page has begun to send. */
  goOn(kept: KeptJob<KeptBoardAct, BoardRow, boolean>): void;
  /** Takes one out of its job. */
  undo(id: string): void;
  pause(key: string): void;
  resume(key: string): void;
  /** What is not sent yet will not be. */
  stop(key: string): void;
  jobOf(id: string): BoardJob | undefined;
  job(key: string): BoardJob | undefined;
  subscribe(listener: () => void): () => void;
}

/** A body with its message, and with the headers around it. */
export const bytesOf: Record<BoardAct, (item: BoardRow) => number> = {
  withdraw: () => 0,
  send_again: ({ description = '' }) => 200 + 3 * description.length,
};

/** No more than that. */
export const rowOf = ({ id, to, resource_id, resource_type, description, swarm }: BoardRow): BoardRow => ({
  id,
  to,
  resource_id,
  resource_type,
  ...(description !== undefined && { description }),
  swarm: { id: swarm.id },
});
