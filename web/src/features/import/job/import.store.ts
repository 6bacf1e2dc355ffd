import { forget, keep, kept } from '../../../api/jobs/keep.ts';
import { nothingYet, planKey } from './import-plan.ts';
import type { ImportPlan, KeptImport } from './import-plan.ts';
import type { ImportStore } from './import-state.ts';

/**
 * The import of one user, kept in the browser: plan and file once, the progress again and again. Other jobs keep their
 * rows and how each ended (api/jobs/kept-jobs.ts); here the rows are the file, however large, and all before a mark have
 * ended (mark.ts): what is written again and again is one number, and the rows that were refused.
 */
export function createImportStore({ user_id }: { user_id: string }): ImportStore {
  const key = (part: 'file' | 'progress') => `import:${user_id}:${part}`;
  const plans = planKey(user_id);
  type Going = Pick<KeptImport, 'progress' | 'paused' | 'at'>;
  return {
    async load(): Promise<KeptImport | undefined> {
      const plan = await kept<ImportPlan>(plans);
      if (!plan) return undefined;
      const [file, going] = await Promise.all([kept<Blob>(key('file')), kept<Going>(key('progress'))]);
      return { progress: nothingYet, paused: false, at: 0, ...going, plan, file };
    },
    async begin({ plan, progress, paused, at, file }) {
      await keep(key('progress'), { progress, paused, at } satisfies Going);
      await keep(plans, plan);
      // last, because it is what a browser may have no room for
      if (file) await keep(key('file'), file);
    },
    save: (going: Going) => keep(key('progress'), going),
    async end(past) {
      if (past) await rememberPast({ user_id, past });
      await Promise.all([forget(plans), forget(key('file')), forget(key('progress'))]);
    },
  };
}

/** What was imported from which file: a second time it would all be there twice. */
export interface PastImport {
  hash: string;
  made: number;
  at: string;
}

const remembered = 20;
const pastKey = (user_id: string) => `import:${user_id}:past`;

async function rememberPast({ user_id, past }: { user_id: string; past: PastImport }) {
  const before = (await kept<PastImport[]>(pastKey(user_id))) ?? [];
  await keep(pastKey(user_id), [past, ...before.filter(({ hash }) => hash !== past.hash)].slice(0, remembered));
}

export async function pastImport({ user_id, hash }: { user_id: string; hash: string }) {
  return (await kept<PastImport[]>(pastKey(user_id)))?.find((past) => past.hash === hash);
}
