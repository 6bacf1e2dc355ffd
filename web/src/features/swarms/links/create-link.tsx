import { useState } from 'react';
import type { JoinLink, MemberRole } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { endOfDay } from '../../../data/server-clock.ts';
import { nameError } from '../../../data/text-errors.ts';
import { RoleChoice } from '../../../shared/role-choice.tsx';
import { t } from '../../../text/text.ts';
import { LineField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { useNow } from '../../../ui/time.tsx';
import { useCreateLink } from './links.api.ts';

interface Values {
  name: string;
  role: MemberRole;
  /** A day, as a date input has it. */
  until: string;
  most: string;
}
type Errors = Partial<Record<keyof Values, string>>;

const mostDevices = 100_000;

function check({ name, until, most }: Values, now: number): Errors {
  const found: Record<string, string | undefined> = {
    name: nameError(name.trim(), limits.nameLength),
    until: until !== '' && !(endOfDay(until).getTime() > now) ? t.links.until_past : undefined,
    most:
      most !== '' && !(/^\d+$/.test(most) && Number(most) >= 1 && Number(most) <= mostDevices)
        ? t.links.most_wrong
        : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== undefined));
}

interface CreateLinkProps {
  swarm_id: string;
  onClose(): void;
  onCreated(link: JoinLink): void;
}

/** The dialog that makes a link to join a swarm. */
export function CreateLink({ swarm_id, onClose, onCreated }: CreateLinkProps) {
  const now = useNow();
  const create = useCreateLink(swarm_id);
  const [values, setValues] = useState<Values>({ name: '', role: 'producer', until: '', most: '' });
  const [errors, setErrors] = useState<Errors>({});
  const change = (next: Partial<Values>) => {
    setValues({ ...values, ...next });
    if (Object.keys(errors).length > 0) setErrors({});
  };
  const submit = () => {
    const found = check(values, now);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const { name, role, until, most } = values;
    const link = {
      name: name.trim(),
      resource_type: role,
      ...(until !== '' && { expires_at: endOfDay(until).toISOString() }),
      ...(most !== '' && { max_resources: Number(most) }),
    };
    create.mutate(link, { onSuccess: onCreated });
  };
  return (
    <FormDialog
      title={t.links.create_title}
      description={t.links.create_text}
      submit={t.links.create}
      busy={create.isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <LineField
        label={t.links.name}
        hint={t.links.name_hint}
        placeholder={t.links.name_placeholder}
        error={errors.name}
        value={values.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <RoleChoice label={t.links.role} value={values.role} onChange={(role) => change({ role })} />
      <TextField
        type="date"
        optional
        label={t.links.until}
        error={errors.until}
        value={values.until}
        onChange={(event) => change({ until: event.currentTarget.value })}
      />
      <TextField
        inputMode="numeric"
        optional
        label={t.links.most}
        error={errors.most}
        value={values.most}
        onChange={(event) => change({ most: event.currentTarget.value.trim() })}
      />
      <FormError error={create.error} />
    </FormDialog>
  );
}
