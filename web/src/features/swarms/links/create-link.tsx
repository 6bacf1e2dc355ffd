import type { JoinLink, MemberRole } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { nameError } from '../../../data/text-errors.ts';
import { endOfLastDay, LastDayField, lastDayError } from '../../../shared/ends/last-day.tsx';
import { RoleChoice } from '../../../shared/role-choice.tsx';
import { t } from '../../../text/text.ts';
import { LineField, TextField } from '../../../ui/fields/field.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { FormError } from '../../../ui/fields/form-error.tsx';
import { useNow } from '../../../ui/texts/time.tsx';
import { useFormValues } from '../../../ui/fields/use-form-values.ts';
import { useCreateLink } from './links.api.ts';

const initial = { name: '', role: 'producer' as MemberRole, until: '', most: '' };

const mostDevices = 100_000;
const isCount = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= mostDevices;

interface CreateLinkProps {
  swarm_id: string;
  onClose(): void;
  onCreated(link: JoinLink): void;
}

/** The dialog that makes a link to join a swarm. */
export function CreateLink({ swarm_id, onClose, onCreated }: CreateLinkProps) {
  const now = useNow();
  const create = useCreateLink(swarm_id);
  const { values, errors, change, submit } = useFormValues({
    initial,
    check: ({ name, until, most }) => ({
      name: nameError(name.trim(), limits.nameLength),
      until: lastDayError(until, now),
      most: most === '' || isCount(most) ? undefined : t.links.most_wrong,
    }),
  });
  const send = ({ name, role, until, most }: typeof initial) => {
    const link = {
      name: name.trim(),
      resource_type: role,
      ...endOfLastDay(until),
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
      onSubmit={() => submit(send)}
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
      <LastDayField
        label={t.links.until}
        error={errors.until}
        value={values.until}
        onChange={(until) => change({ until })}
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
