import type { MemberRole } from '@swarmdeck/bff/contract';
import { memberRoles } from '@swarmdeck/bff/field-rules';
import { t } from '../text/text.ts';
import { RoleSign } from '../ui/symbols/role-chip.tsx';
import { Segmented } from '../ui/fields/segmented.tsx';

interface RoleChoiceProps {
  label: string;
  value: MemberRole | undefined;
  onChange(role: MemberRole): void;
}

/** Chooses the role of devices in a swarm. */
export function RoleChoice({ label, value, onChange }: RoleChoiceProps) {
  return (
    <Segmented<MemberRole>
      label={label}
      value={value ?? ''}
      options={memberRoles.map((role) => ({ value: role, label: t.shell.roles[role], icon: <RoleSign role={role} /> }))}
      onChange={onChange}
    />
  );
}
