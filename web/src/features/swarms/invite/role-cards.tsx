import type { MemberRole } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { RoleSign } from '../../../ui/symbols/role-chip.tsx';
import '../../../ui/pages/box.css';
import '../../../ui/fields/field-parts.css';
import './role-cards.css';

const roles = ['producer', 'consumer', 'both'] as const satisfies readonly MemberRole[];

interface RoleCardsProps {
  role: MemberRole;
  /** The number of lines with their own role. */
  named: number;
  onChange(role: MemberRole): void;
}

/** Selects the role for lines without a role. */
export function RoleCards({ role, named, onChange }: RoleCardsProps) {
  return (
    <fieldset className="role-cards">
      <legend className="field-label">{t.invite.role}</legend>
      <div className="role-cards-row">
        {roles.map((known) => (
          <label key={known} className="frame choice role-card" aria-label={t.invite.role_names[known]}>
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
                <RoleSign role={known} /> {t.invite.role_names[known]}
              </span>
              <span id={`role-${known}`} className="role-card-text quiet">
                {t.invite.role_texts[known]}
              </span>
            </span>
          </label>
        ))}
      </div>
      {named > 0 && <p className="role-cards-hint quiet">{t.invite.named_roles(named)}</p>}
    </fieldset>
  );
}
