import { useEffect, useState } from 'react';
import { kept } from '../../../api/jobs/keep.ts';
import { optional } from '../../../ui/late.tsx';
import { planKey } from './import-plan.ts';

const ImportStrip = optional(async () => (await import('./import-strip.tsx')).ImportStrip);

/** An import that is on its way, where there is one. */
export function UnfinishedImport({ user_id }: { user_id: string }) {
  const [there, setThere] = useState(false);
  useEffect(() => {
    // a browser that keeps nothing has left nothing
    kept(planKey(user_id)).then(
      (plan) => setThere(plan !== undefined),
      () => undefined,
    );
  }, [user_id]);
  return there && <ImportStrip user_id={user_id} />;
}
