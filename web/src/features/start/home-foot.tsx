import { UnstoredCodes } from '../../shared/account/unstored-codes.tsx';
import { DemoStrip } from './demo-strip.tsx';
import { NextSteps, useIsStarting, type NextStepsProps } from './next-steps.tsx';

/** Below the list of devices: the next steps for new users, and the demo. */
export function HomeFoot({ count, onDemo, ...props }: NextStepsProps & { count: number; onDemo(): void }) {
  const isStarting = useIsStarting(count);
  return (
    <>
      {/* In half of a phone, the list needs the space that the next step leaves. */}
      {(props.roomy || !isStarting) && <UnstoredCodes />}
      {isStarting && <NextSteps {...props} />}
      <DemoStrip isStarting={isStarting} onDemo={onDemo} />
    </>
  );
}
