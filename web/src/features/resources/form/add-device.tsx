import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import type { Position, Resource } from '@swarmdeck/bff/contract';
import { ProblemError } from '../../../api/problem.ts';
import { createSendingKey } from '../../../api/sending-key.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { words } from '../device-words.ts';
import { useCreateDevice } from '../resource-writes.api.ts';
import './add-device.css';
import { DeviceFields, focusFirstError } from './device-fields.tsx';
import { checkDraft, draftPosition, problemErrors, readDraft, stillWrong } from './device-form.ts';
import type { DraftErrors } from './device-form.ts';
import type { Draft } from './draft.ts';
import { Refusal } from './refusal.tsx';

/**
 * The dialog that adds a device. The draft belongs to the page: it survives a refusal, choosing a place on
 * the map, and a dialog that was closed by mistake.
 */
export function AddDevice({
  draft,
  onDraft,
  onPlace,
  onClose,
  onAdded,
}: {
  draft: Draft;
  onDraft(draft: Draft): void;
  /** Choose the position on the map, starting at the one in the form. */
  onPlace(at: Position | null): void;
  onClose(): void;
  onAdded(device: Resource): void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [keyFor] = useState(createSendingKey);
  const [errors, setErrors] = useState<DraftErrors>({});
  const create = useCreateDevice();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = readDraft(draft);
    const found = checkDraft(draft);
    setErrors(found);
    if (!values) return focusFirstError(form.current, found);
    const { description, position, ...needed } = values;
    const device = {
      ...needed,
      // nobody means the blanks around a name
      name: needed.name.trim(),
      ...(description === undefined ? {} : { description }),
      ...(position ? { position } : {}),
    };
    create.mutate(
      { device, idempotencyKey: keyFor(device) },
      {
        onSuccess: onAdded,
        onError: (error) => {
          const { fields } = error instanceof ProblemError ? problemErrors(error.problem) : { fields: {} };
          setErrors(fields);
          focusFirstError(form.current, fields);
        },
      },
    );
  };
  const change = (next: Draft) => {
    onDraft(next);
    setErrors(stillWrong(errors, next));
  };

  return (
    <Dialog
      title={words.add_dialog.title}
      description={words.add_dialog.text}
      onClose={onClose}
      footer={
        <>
          <Button look="primary" type="submit" form="add-device" busy={create.isPending}>
            {words.add_dialog.create}
          </Button>
          <Button onClick={onClose}>{words.add_dialog.cancel}</Button>
          <ButtonLink to="/import" look="quiet">
            {words.add_dialog.import}
          </ButtonLink>
        </>
      }
    >
      <form ref={form} id="add-device" className="add-device" noValidate onSubmit={submit}>
        <DeviceFields
          draft={draft}
          errors={errors}
          positionOptional
          onChange={change}
          placeButton={
            <Button icon="device" onClick={() => onPlace(draftPosition(draft) ?? null)}>
              {words.form.on_map}
            </Button>
          }
        />
        <div role="alert">{create.error && <Refusal error={create.error} />}</div>
      </form>
    </Dialog>
  );
}
