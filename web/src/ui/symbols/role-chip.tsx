import './role-chip.css';

/** Drawn in a box of 10, because the size of these characters differs between fonts. */
const shapes = { producer: 'M5 1l4.7 8H.3z', consumer: 'M.3 1h9.4L5 9z', both: 'M5 .2 9.8 5 5 9.8.2 5z' } as const;

export type RoleShape = keyof typeof shapes;

/** A role in a swarm, as shape and word. */
export function RoleChip({ role, label }: { role: RoleShape; label: string }) {
  return (
    <span className="role-chip">
      <RoleSign role={role} /> <span className="one-line">{label}</span>
    </span>
  );
}

/** Only the shape, for places that also show the word. */
export function RoleSign({ role }: { role: RoleShape }) {
  return (
    <svg className="role-sign" viewBox="0 0 10 10" aria-hidden="true">
      <path d={shapes[role]} />
    </svg>
  );
}
