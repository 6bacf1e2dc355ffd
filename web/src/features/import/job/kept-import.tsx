import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { kept } from '../../../api/jobs/keep.ts';
import { planKey } from './import-plan.ts';

/** Goes on with an import that was on its way when its page was closed. */
export function KeptImport({ user_id }: { user_id: string }) {
  const client = useQueryClient();
  useEffect(() => {
    const goOn = async () => {
      if ((await kept(planKey(user_id))) === undefined) return;
      const { importerOf } = await import('./importer-of.ts');
      await importerOf({ client, user_id }).open();
    };
    // a browser that keeps nothing has left nothing
    goOn().catch(() => undefined);
  }, [client, user_id]);
  return null;
}
