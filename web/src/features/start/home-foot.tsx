import type { ReactNode } from 'react';
import { DemoStrip } from './demo-strip.tsx';
import { NextSteps } from './next-steps.tsx';

/** Below the list of devices: the next steps for new users, and the demo. */
export function HomeFoot(props: { count: number; copyCode: ReactNode; roomy: boolean }) {
  return (
    <>
      <NextSteps {...props} />
      <DemoStrip />
    </>
  );
}
