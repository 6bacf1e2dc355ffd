/** One run of an import, from where it was to its end or to where it is halted. */
import type { Resource, ResourceCreate } from '@swarmdeck/bff/contract';
import { errorParts, isAway } from '../../api/problem.ts';
import { sendEach } from '../../api/send-each.ts';
import { readRows } from './dry-run.ts';
import type { ImportPlan, ImportProgress, NotTaken } from './import-plan.ts';
import { createMark } from './mark.ts';
import { concernsRow, waitFor } from './patience.ts';

export type SendRow = (options: { device: ResourceCreate; key: string }) => Promise<Pick<Resource, 'user_id'>>;

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
  sleep,
  onEnded,
  onAway,
}: {
  plan: ImportPlan;
  file: Blob;
  from: ImportProgress;
  send: SendRow;
  sleep: (seconds: number) => Promise<void>;
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
    for await (const { device } of readRows({ file, columns: plan.columns, fixes: plan.fixes })) {
      if (halted) return;
      if (!('row' in device) || device.line < from.before) continue;
      mark.begin(device.line);
      yield { line: device.line, device: device.row };
    }
  }

  async function work() {
    try {
      await sendEach({
        items: ahead(),
        async send({ line, device }) {
          const { user_id } = await send({ device, key: `${plan.id}-${line}` });
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
          return waitFor(error);
        },
        pause: (seconds) => Promise.race([sleep(seconds), halting]),
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
