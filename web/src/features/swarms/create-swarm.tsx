import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Swarm } from '@swarmdeck/bff/contract';
import { userOf } from '../../data/of-client.ts';
import { t } from '../../text/text.ts';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { FormError } from '../../ui/fields/form-error.tsx';
import { usePersistedDraft } from '../../ui/fields/persisted-draft.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { useToasts } from '../../ui/toasts/toast.tsx';
import type { Outcome } from '../../ui/dialogs/use-closing.ts';
import { SwarmFields } from './swarm-fields.tsx';
import { checkSwarm, emptySwarm, errorsOf, tidied, type SwarmErrors } from './swarm-form.ts';
import { useCreateSwarm } from './swarm-writes.api.ts';

/** A device of the user that may join the new swarm at once. */
export interface FirstMember {
  id: string;
  name: string;
}

interface CreateSwarmProps {
  /** At first, unless a draft was left. */
  name?: string;
  device?: FirstMember;
  onClose(): void;
  onCreated(swarm: Swarm): void;
}

const bothRolesOf = ({ id }: FirstMember) =>
  (['producer', 'consumer'] as const).map((resource_type) => ({ resource_id: id, resource_type }));

export function CreateSwarm({ name: firstName = '', device, onClose, onCreated }: CreateSwarmProps) {
  const create = useCreateSwarm();
  const { show } = useToasts();
  const navigate = useNavigate();
  const start = { ...emptySwarm, name: firstName };
  const [values, setValues, noteSent] = usePersistedDraft(`swarm:${userOf(useQueryClient())}`, start);
  const [errors, setErrors] = useState<SwarmErrors>({});
  const [joins, setJoins] = useState(true);
  const isAtFields = Object.keys(errorsOf(create.error)).length > 0;

  const submit = () => {
    const found = checkSwarm(values);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    // The other settings are those of an existing swarm.
    const { name, description, public: isPublic } = tidied(values);
    const sent = create.mutateAsync(
      {
        name,
        description,
        public: isPublic,
        ...(device && joins && { resources: bothRolesOf(device) }),
      },
      {
        onSuccess(swarm) {
          onCreated(swarm);
          show(created(swarm));
        },
        onError: (error) => setErrors(errorsOf(error)),
      },
    );
    // Also after the dialog was closed: otherwise the next one would create the swarm again.
    sent.then(
      () => noteSent(values),
      () => undefined,
    );
  };
  const created = (swarm: Swarm): Outcome => ({
    title: <Rich text={t.swarms.create.created} name={<Bdi>{swarm.name}</Bdi>} />,
    icon: 'check',
  });
  const outcome = (data: unknown) => {
    const swarm = data as Swarm;
    const open = { label: t.shell.sending.open, onAction: () => void navigate(`/swarms/${swarm.id}`) };
    return { ...created(swarm), action: open };
  };
  return (
    <FormDialog
      title={t.swarms.create.title}
      description={t.swarms.create.text}
      submit={t.swarms.create.submit}
      busy={create.isPending}
      outcome={outcome}
      isStored
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <SwarmFields
        values={values}
        errors={errors}
        onChange={(next) => {
          setValues(next);
          if (Object.keys(errors).length > 0) setErrors({});
        }}
      />
      {device && (
        <Checkbox
          label={
            <span>
              <Rich text={t.swarms.create.joins} name={<Bdi>{device.name}</Bdi>} />
            </span>
          }
          checked={joins}
          onChange={setJoins}
        />
      )}
      <FormError error={!isAtFields && create.error} />
    </FormDialog>
  );
}
