/**
 * Invitations on their way. They go on while one looks at other pages, and are kept until the last one has come to an
 * end: after a closed tab they go on, each once. What became of each line stays until the next are sent.
 */
import type { InvitationRole } from '@swarmdeck/bff/contract';
import type { ReactNode } from 'react';
import type { KeptJob, KeptJobs } from '../../../api/jobs/kept-jobs.ts';
import { startKeptJob } from '../../../api/jobs/kept-sending.ts';
import type { LongJob } from '../../../api/jobs/long-job.ts';
import type { Waiting } from '../../../ui/waiting.ts';
import type { toSend } from './invite-check.ts';
import { endOf, problemOf } from './invite-ends.ts';
import type { KeptEnd, LineEnd } from './invite-ends.ts';

/** Beginning of the keys of their notices; invite-progress.css keeps those out of the way of Invite itself. */
const inviteKey = 'invite:';

type InviteRow = ReturnType<typeof toSend>[number];

interface InviteAbout {
  swarm: { id: string; name: string };
  role: InvitationRole;
  message: string;
}

/** How one line ended; null while it is on its way. */
export type SentLine = InviteRow & { end: LineEnd | null };

/** A press of Send, and what became of each line. */
export interface InviteJob extends InviteAbout {
  key: string;
  state: 'sending' | 'paused' | 'ended';
  lines: readonly SentLine[];
  done: number;
  /** What the lines were pasted as, where this page has sent them. */
  text: string | null;
}

export type KeptAbout = InviteAbout & { paused: boolean };
export type KeptInvites = KeptJobs<KeptAbout, InviteRow, KeptEnd>;

export type Invites = ReturnType<typeof createInvites>;

interface Running {
  job: InviteJob;
  ends: Map<number, LineEnd>;
  rows: readonly InviteRow[];
  sending: LongJob | null;
  paused: boolean;
}

const linesOf = ({ rows, ends }: Pick<Running, 'rows' | 'ends'>): SentLine[] =>
  rows.map((row, place) => ({ ...row, end: ends.get(place) ?? null }));

export function createInvites({
  waiting,
  kept,
  newKey,
  send,
  show,
  onEnd,
  pause,
}: {
  waiting: Pick<Waiting, 'goOn'>;
  kept: Omit<KeptInvites, 'watch'>;
  newKey: () => string;
  /** The same `key` again sends nothing twice. */
  send: (row: InviteRow, options: InviteAbout & { key: string }) => Promise<unknown>;
  show: (job: InviteJob) => { label: ReactNode; progress: ReactNode };
  onEnd: (job: InviteJob) => void;
  pause: (seconds: number) => Promise<void>;
}) {
  const listeners = new Set<() => void>();
  /** Sent one after the other; the first is shown. */
  const queue: Running[] = [];
  let shown: InviteJob | null = null;

  function update(run: Running, state: InviteJob['state']) {
    run.job = { ...run.job, state, lines: linesOf(run), done: run.ends.size };
    if (queue[0] === run) shown = run.job;
    for (const listener of listeners) listener();
  }

  async function sendJob(run: Running) {
    const { key, ...about } = run.job;
    const left = [...run.rows.entries()].filter(([place]) => !run.ends.has(place));
    run.sending = startKeptJob<InviteRow, LineEnd, KeptEnd>({
      key,
      kept,
      keepEnd: problemOf,
      rows: left,
      send: async (row, place) => {
        await send(row, { ...about, key: `${key}-${place}` });
        return { ok: true };
      },
      refused: (_row, error) => ({ ok: false, error }),
      tell(ends) {
        for (const [place, ended] of ends) run.ends.set(place, ended);
        update(run, run.paused ? 'paused' : 'sending');
      },
      isMany: run.rows.length > 1,
      pause,
      paused: run.paused,
    });
    update(run, run.paused ? 'paused' : 'sending');
    await run.sending.done;
    for (const [place] of left) if (!run.ends.has(place)) run.ends.set(place, { ok: false, stopped: true });
    update(run, 'ended');
    onEnd(run.job);
    queue.shift();
    enqueueNext();
  }

  function enqueueNext() {
    const [run] = queue;
    if (!run) return;
    shown = run.job;
    waiting.goOn({ key: run.job.key, ...show(run.job), send: () => sendJob(run), onRefused: () => undefined });
  }

  function enqueue(run: Running) {
    queue.push(run);
    if (queue.length === 1) enqueueNext();
  }

  function setPaused(paused: boolean) {
    const [run] = queue;
    if (!run?.sending || run.paused === paused) return;
    run.paused = paused;
    if (paused) run.sending.pause();
    else run.sending.resume();
    const { swarm, role, message } = run.job;
    kept.change(run.job.key, { swarm, role, message, paused });
    update(run, paused ? 'paused' : 'sending');
  }

  return {
    start({ rows, text, ...about }: InviteAbout & { rows: readonly InviteRow[]; text: string }) {
      const key = `${inviteKey}${newKey()}`;
      kept.begin({ key, about: { ...about, paused: false }, rows: [...rows] });
      const job: InviteJob = {
        ...about,
        key,
        text,
        state: 'sending',
        lines: linesOf({ rows, ends: new Map() }),
        done: 0,
      };
      enqueue({ job, rows, ends: new Map(), sending: null, paused: false });
    },
    /** Takes up what another page has begun to send. */
    goOn({ key, about: { paused, ...about }, rows, ends }: KeptJob<KeptAbout, InviteRow, KeptEnd>) {
      if (queue.some(({ job }) => job.key === key)) return;
      const ended = new Map([...ends].map(([place, end]) => [place, endOf(end)]));
      const lines = linesOf({ rows, ends: ended });
      const state = paused ? 'paused' : 'sending';
      const job: InviteJob = { ...about, key, text: null, state, lines, done: ended.size };
      enqueue({ job, rows, ends: ended, sending: null, paused });
    },
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    /** What is not sent yet will not be. */
    stop: () => queue[0]?.sending?.stop(),
    /** Puts away what has ended. */
    next() {
      if (shown?.state !== 'ended') return;
      shown = null;
      for (const listener of listeners) listener();
    },
    job: () => shown,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
