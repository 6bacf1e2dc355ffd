import { UnstoredCodes, useHasUnstoredCodes } from '../../shared/account/unstored-codes.tsx';
import { DemoStrip } from './demo-strip.tsx';
import { NextStepsStrip, NextSteps, useIsStarting, type NextStepsProps } from './next-steps.tsx';

interface HomeFootProps extends NextStepsProps {
  count: number;
  /** There is space for more than a line. */
  roomy: boolean;
  onMore(): void;
  onDemo(): void;
}

/** Below the list of devices: the next steps for new users, and the demo. */
export function HomeFoot({ count, roomy, onMore, onDemo, ...props }: HomeFootProps) {
  const isStarting = useIsStarting(count);
  const hasUnstoredCodes = useHasUnstoredCodes();
  // In half of a phone, the list needs the space: one line is below it.
  if (!roomy && isStarting) return <NextStepsStrip device={props.device} hasSwarm={props.hasSwarm} onMore={onMore} />;
  return (
    <>
      <UnstoredCodes />
      {isStarting && <NextSteps {...props} />}
      {(roomy || !hasUnstoredCodes) && <DemoStrip isStarting={isStarting} onDemo={onDemo} />}
    </>
  );
}
