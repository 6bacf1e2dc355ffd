/** One run of an import, from where it was to its end or to where it is halted. */
import type { Resource, ResourceCreate, ResourceUpdate } from '@swarmdeck/bff/contract';
import { readDevice } from '@swarmdeck/bff/device-csv';
import { patienceForMany, sendEach } from '../../../api/jobs/send-each.ts';
import { errorParts, isAway, ProblemError } from '../../../api/problem.ts';
import { readRows } from '../rows/dry-run.ts';
import { columnsOf } from '../rows/mapping.ts';
import { createMark } from '../rows/mark.ts';
import { changeOf, idOf } from '../rows/row-fate.ts';
import type { ImportPlan, ImportProgress, NotTaken } from './import-plan.ts';

/** Adds a device, or changes the one that is named. */
export type SendRow = (row: {
  device: ResourceCreate;
  key: string;
  change?: { id: string; body: ResourceUpdate };
}) => Promise<Pick<Resource, 'user_id'>>;

export interface ImportRun {
  /** What is under way is waited for, nothing else begins. */
  halt(): void;
  /** What a later run has to know. */
  progress(): ImportProgress;
  /** Whether every row has ended, and else what halted it, where that was nobody's wish. */
  done: Promise<{ whole: boolean; error: unknown }>;
}

export function startRun({
  plan,
  file,
  from,
  send,
  pause,
  onEnded,
  onAway,
}: {
  plan: ImportPlan;
  file: Blob;
  from: ImportProgress;
  send: SendRow;
  pause: (seconds: number) => Promise<void>;
  onEnded: (refused: NotTaken | null) => void;
  /** Nobody answers: it is tried again and again. */
  onAway: () => void;
}): ImportRun {
  const mark = createMark(from.before);
  const behind = { made: from.made, notTaken: [...from.notTaken] };
  /** Ended out of turn: kept as if they had not. */
  const beyond = new Map<number, NotTaken | null>();
  const { promise: halting, resolve: wake } = Promise.withResolvers<void>();
  let halted = false;
  let fault: unknown = null;

  function halt(error: unknown = null) {
    halted = true;
    fault ??= error;
    wake();
  }

  function ended(line: number, refused: NotTaken | null) {
    beyond.set(line, refused);
    mark.end(line);
    for (const [at, how] of beyond) {
      if (at >= mark.before()) continue;
      beyond.delete(at);
      if (how) behind.notTaken.push(how);
      else behind.made += 1;
    }
    onEnded(refused);
  }

  async function* ahead() {
    const { uses, fixes } = plan;
    const changes = new Set(plan.changes);
    const columns = columnsOf(uses);
    for await (const record of readRows({ file, fixes })) {
      if (halted) return;
      if (record.line < from.before) continue;
      const read = readDevice({ columns, record });
      const id = idOf({ fields: record.fields, uses });
      if ('errors' in read || (id !== undefined && !changes.has(record.line))) continue;
      mark.begin(record.line);
      const device = read.row;
      const change = id !== undefined && { change: { id, body: changeOf({ device, uses }) } };
      yield { line: record.line, device, ...change };
    }
  }

  async function work() {
    try {
      await sendEach({
        items: ahead(),
        async send({ line, ...row }) {
          const { user_id } = await send({ ...row, key: `${plan.id}-${line}` });
          ended(line, null);
          // somebody else has signed in beside us: they get no further row
          if (user_id !== plan.user_id) halt();
        },
        onRefused({ line, device }, error) {
          if (concernsRow(error)) ended(line, { line, name: device.name, ...errorParts(error) });
          else halt(error);
        },
        stopped: () => halted,
        patience(error) {
          if (isAway(error)) onAway();
          return patienceForMany(error);
        },
        pause: (seconds) => Promise.race([pause(seconds), halting]),
      });
    } catch (error) {
      // the file cannot be read any more
      halt(error);
    }
    return { whole: !halted, error: fault };
  }

  return {
    halt: () => halt(),
    progress: () => ({ before: mark.before(), made: behind.made, notTaken: [...behind.notTaken] }),
    done: work(),
  };
}

/** Whether the next row may fare better: else nothing more is sent until somebody has seen to it. */
function concernsRow(error: unknown): boolean {
  return error instanceof ProblemError && [400, 404, 413, 422].includes(error.problem.status);
}
