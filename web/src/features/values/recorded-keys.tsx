import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import type { ReadValues } from '../../data/values/values.api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { ActionError } from '../../ui/fields/form-error.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';

interface RecordedKeysProps {
  resource_id: string;
  read: ReadValues;
}

/** Which values of the user's own device are not recorded, and the choice of those that are. */
export function RecordedKeys({ resource_id, read }: RecordedKeysProps) {
  const [isOpen, setOpen] = useState(false);
  const { leftOut, chosen } = read;
  const texts = t.values.keys;
  return (
    <>
      <div className="box-text line wraps">
        <span className="quiet">
          {[chosen && texts.chosen, leftOut.length > 0 && texts.left_out(leftOut.join(', '))].filter(Boolean).join(' ')}
        </span>
        <Button className="to-end" onClick={() => setOpen(true)}>
          {texts.choose}
        </Button>
      </div>
      {isOpen && <ChooseKeys resource_id={resource_id} read={read} onClose={() => setOpen(false)} />}
    </>
  );
}

function ChooseKeys({ resource_id, read, onClose }: RecordedKeysProps & { onClose(): void }) {
  const client = useQueryClient();
  const { series, leftOut, chosen } = read;
  const all = [...new Set([...series.map(({ key }) => key), ...leftOut, ...(chosen ?? [])])].sort();
  const [isAutomatic, setAutomatic] = useState(chosen === null);
  const [keys, setKeys] = useState(() => new Set(chosen ?? series.map(({ key }) => key)));
  const save = useMutation({
    mutationFn: () =>
      send({
        method: 'PUT',
        path: pathTo('/api/resources/:id/values/keys', { id: resource_id }),
        body: { keys: isAutomatic ? null : [...keys] },
      }),
    async onSuccess() {
      onClose();
      await client.invalidateQueries({ queryKey: queryKeys.values.read });
    },
  });
  const texts = t.values.keys;
  return (
    <FormDialog
      title={texts.title}
      description={texts.text}
      submit={texts.save}
      busy={save.isPending}
      errors={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Checkbox label={texts.automatic} checked={isAutomatic} onChange={setAutomatic} />
      {all.map((key) => (
        <Checkbox
          key={key}
          label={<bdi>{key}</bdi>}
          checked={isAutomatic ? !leftOut.includes(key) : keys.has(key)}
          disabled={isAutomatic}
          onChange={(isChosen) => {
            const next = new Set(keys);
            if (isChosen) next.add(key);
            else next.delete(key);
            setKeys(next);
          }}
        />
      ))}
      <ActionError error={save.error} />
    </FormDialog>
  );
}
