import './role-chip.css';

const shapes = { producer: '▲', consumer: '▼', both: '◆' } as const;

export type RoleShape = keyof typeof shapes;

/** A role in a swarm, by shape and word. */
export function RoleChip({ role, label }: { role: RoleShape; label: string }) {
  return (
    <span className="role-chip">
      <RoleSign role={role} /> {label}
    </span>
  );
}

/** The shape alone, where the word stands beside it. */
export function RoleSign({ role }: { role: RoleShape }) {
  return (
    <span className="role-sign" aria-hidden="true">
      {shapes[role]}
    </span>
  );
}
