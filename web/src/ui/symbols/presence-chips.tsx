import { formatNumber, t } from '../../text/text.ts';
import { Chip } from './chip.tsx';
import { PresenceDot, presenceShapes, type PresenceShape, useIsCounted } from './presence.tsx';

interface PresenceChipsProps {
  /** Undefined until they are known. */
  counts: Record<PresenceShape, number> | undefined;
  chosen: readonly PresenceShape[] | undefined;
  clearable?: boolean;
  onToggle(state: PresenceShape): void;
}

/** The filters by presence. There are none until a device is heard. */
export function PresenceChips({ counts, chosen, clearable = true, onToggle }: PresenceChipsProps) {
  const isCounted = useIsCounted();
  const isOn = (state: PresenceShape) => chosen?.includes(state) ?? false;
  const isHeard = counts && counts.online + counts.offline + counts.silent > 0;
  return presenceShapes
    .filter((state) => isOn(state) || isHeard)
    .map((state) => (
      <Chip
        key={state}
        icon={<PresenceDot state={state} />}
        label={t.shell.presence_names[state]}
        count={isCounted(state) ? (counts ? formatNumber(counts[state]) : null) : undefined}
        pressed={isOn(state)}
        clearable={clearable}
        onToggle={() => onToggle(state)}
      />
    ));
}
