import type { InvitationRole } from '@swarmdeck/bff/contract';
import { RoleSign } from '../../../ui/role-chip.tsx';
import { words } from '../swarm-words.ts';
import './role-cards.css';

const text = words.inviting;
const roles = ['producer', 'consumer'] as const satisfies readonly InvitationRole[];

/** The role that is offered, each saying what it means. */
export function RoleCards({ role, onChange }: { role: InvitationRole; onChange(role: InvitationRole): void }) {
  return (
    <fieldset className="role-cards">
      <legend>{text.role}</legend>
      <div className="role-cards-row">
        {roles.map((known) => (
          <label key={known} className="role-card" aria-label={text.role_names[known]}>
            <input
              aria-describedby={`role-${known}`}
              type="radio"
              name="invite-role"
              value={known}
              checked={known === role}
              onChange={() => onChange(known)}
            />
            <span>
              <span className="role-card-name">
                <RoleSign role={known} /> {text.role_names[known]}
              </span>
              <span id={`role-${known}`} className="role-card-text">
                {text.role_texts[known]}
              </span>
            </span>
          </label>
        ))}
      </div>
      <p className="role-cards-hint">{text.both}</p>
    </fieldset>
  );
}
