import type { ActionSwarm } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';

interface SwarmFieldProps {
  value: string | undefined;
  swarms: readonly (ActionSwarm & { label: string })[];
  onChange(swarm: ActionSwarm | undefined): void;
}

/** Chooses one of several swarms; none at first. */
export function SwarmField({ value, swarms, onChange }: SwarmFieldProps) {
  return (
    <Field label={t.bulk.swarm}>
      {(control) => (
        <Select
          {...control}
          value={value ?? ''}
          options={[
            { value: '', label: t.bulk.choose_swarm, quiet: true },
            ...swarms.map(({ id, label }) => ({ value: id, label })),
          ]}
          onChange={(swarm_id) => {
            const chosen = swarms.find(({ id }) => id === swarm_id);
            onChange(chosen && { id: chosen.id, name: chosen.name });
          }}
        />
      )}
    </Field>
  );
}
