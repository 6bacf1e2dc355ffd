import type { ReactNode } from 'react';
import { DemoStrip } from './demo-strip.tsx';
import { NextSteps, useIsStarting } from './next-steps.tsx';

/** Below the list of devices: the next steps for new users, and the demo. */
export function HomeFoot({ count, ...props }: { count: number; copyCode: ReactNode; roomy: boolean }) {
  const isStarting = useIsStarting(count);
  return (
    <>
      {isStarting && <NextSteps {...props} />}
      <DemoStrip isStarting={isStarting} />
    </>
  );
}
