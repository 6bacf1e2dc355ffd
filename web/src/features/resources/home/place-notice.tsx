import { useState } from 'react';
import type { FormEvent } from 'react';
import type { Position } from '@swarmdeck/bff/contract';
import { errorParts } from '../../../api/problem.ts';
import { problemSentence } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { touch, useMedia } from '../../../ui/media.ts';
import { Rich } from '../../../ui/rich.tsx';
import { words } from '../device-words.ts';
import { checkDraft, draftPosition } from '../form/device-form.ts';
import type { DraftErrors } from '../form/device-form.ts';
import { emptyDraft } from '../form/draft.ts';
import { PositionFields } from '../form/position-fields.tsx';
import './place-notice.css';

/** While a device is being placed: the map takes a click, this takes numbers or this device's own location. */
export function PlaceNotice({
  name,
  busy,
  error,
  onPlace,
  onCancel,
}: {
  name: string;
  busy: boolean;
  error: Error | null;
  onPlace(position: Position): void;
  onCancel(): void;
}) {
  const [typed, setTyped] = useState({ latitude: '', longitude: '' });
  const [errors, setErrors] = useState<DraftErrors>({});
  const onTouch = useMedia(touch);
  const draft = { ...emptyDraft, ...typed };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const position = draftPosition(typed);
    const { latitude, longitude } = checkDraft(draft);
    const missing = typed.latitude.trim() === '' && typed.longitude.trim() === '';
    setErrors({
      ...(latitude && { latitude }),
      ...(longitude && { longitude }),
      ...(missing && { latitude: 'missing' as const }),
    });
    if (position) onPlace(position);
  };
  return (
    <section className="place-notice" aria-label={words.form.on_map}>
      <h2>
        <Rich text={words.placing.title} name={<Bdi>{name}</Bdi>} />
      </h2>
      <output>{onTouch ? words.placing.hint_touch : words.placing.hint}</output>
      <form noValidate onSubmit={submit}>
        <PositionFields value={typed} errors={errors} onChange={setTyped} />
        <p className="field-error" role="alert">
          {error && `${words.placing.failed}. ${problemSentence(errorParts(error))}`}
        </p>
        <div className="place-notice-foot">
          <Button look="primary" type="submit" busy={busy}>
            {words.placing.set}
          </Button>
          <Button onClick={onCancel}>{words.placing.cancel}</Button>
        </div>
      </form>
    </section>
  );
}
