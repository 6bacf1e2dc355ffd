import type { MachineType } from '@swarmdeck/bff/contract';
import { machineTypes } from '@swarmdeck/bff/limits';
import { formatNumber, joinList, t } from '../../../text/text.ts';
import { sharesOf } from './type-proportions.ts';
import './type-shares.css';

/** A bar with the shares of the machine types. */
export function TypeShares({ counts }: { counts: Record<MachineType, number> }) {
  const label = joinList(
    machineTypes.map((type) => t.swarms.list.share(t.shell.machine_types[type], formatNumber(counts[type]))),
  );
  return (
    <span className="type-shares" title={label}>
      <span className="visually-hidden">{label}</span>
      {sharesOf(counts).map(({ type, share }) => (
        <span key={type} className={`type-shares-part type-${type}`} style={{ flexGrow: share }} />
      ))}
    </span>
  );
}
