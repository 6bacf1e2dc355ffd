import { t } from '../../../text/text.ts';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';

/** Chooses one of several swarms; none at first. */
export function SwarmField({
  value,
  swarms,
  onChange,
}: {
  value: string | undefined;
  swarms: readonly { id: string; label: string }[];
  onChange(swarm_id: string | undefined): void;
}) {
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
          onChange={(swarm_id) => onChange(swarm_id === '' ? undefined : swarm_id)}
        />
      )}
    </Field>
  );
}
