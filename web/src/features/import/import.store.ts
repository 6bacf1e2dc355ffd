import { forget, keep, kept } from '../../api/keep.ts';
import type { ImportPlan, ImportProgress, KeptImport } from './import-plan.ts';
import { nothingYet } from './import-plan.ts';
import type { ImportStore } from './importer.ts';

/** The import of one user, kept in the browser: plan and file once, the progress again and again. */
export function createImportStore({ user_id }: { user_id: string }): ImportStore {
  const key = (part: 'plan' | 'file' | 'progress') => `import:${user_id}:${part}`;
  type Going = { progress: ImportProgress; paused: boolean };
  return {
    async load(): Promise<KeptImport | undefined> {
      const plan = await kept<ImportPlan>(key('plan'));
      if (!plan) return undefined;
      const [file, going] = await Promise.all([kept<Blob>(key('file')), kept<Going>(key('progress'))]);
      return { plan, file, progress: going?.progress ?? nothingYet, paused: going?.paused ?? false };
    },
    async begin({ plan, progress, paused, file }) {
      await keep(key('progress'), { progress, paused } satisfies Going);
      await keep(key('plan'), plan);
      // last, because it is what a browser may have no room for
      if (file) await keep(key('file'), file);
    },
    save: (going: Going) => keep(key('progress'), going),
    async end() {
      await Promise.all([forget(key('plan')), forget(key('file')), forget(key('progress'))]);
    },
  };
}
