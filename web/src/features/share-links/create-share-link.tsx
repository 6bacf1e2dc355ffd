import { useState } from 'react';
import type { NewShareLink, Resource } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { serverNow } from '../../data/server-clock.ts';
import { nameError } from '../../data/text-errors.ts';
import { t } from '../../text/text.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { LineField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { endOf, isPossible, longest, type ChosenEnd } from '../../shared/ends/end-choices.ts';
import { EndField } from '../../shared/ends/end-field.tsx';
import { useCreateShareLink } from './share-links.api.ts';

const within = { days: longest.link };

interface Errors {
  name?: string;
  end?: string;
}

interface CreateShareLinkProps {
  device: Resource;
  onClose(): void;
  onCreated(link: NewShareLink): void;
}

/** The dialog that makes a link that shows an own device. */
export function CreateShareLink({ device, onClose, onCreated }: CreateShareLinkProps) {
  const create = useCreateShareLink(device.id);
  const [name, setName] = useState('');
  const [end, setEnd] = useState<ChosenEnd>({ choice: 'hour', date: '' });
  const [showsTrack, setShowsTrack] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const submit = () => {
    const now = serverNow();
    const endsAt = endOf(end, now);
    const wrongName = nameError(name.trim(), limits.nameLength);
    const found: Errors = {
      ...(wrongName !== undefined && { name: wrongName }),
      ...(!isPossible(endsAt, now, within) && { end: t.share_links.end_wrong }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const body = { name: name.trim(), shows_track: showsTrack, expires_at: new Date(endsAt).toISOString() };
    create.mutate(body, { onSuccess: onCreated });
  };
  return (
    <FormDialog
      title={t.share_links.create_title}
      description={<Rich text={t.share_links.create_text} device={<Bdi>{device.name}</Bdi>} />}
      submit={t.share_links.create}
      busy={create.isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <LineField
        label={t.share_links.name}
        hint={t.share_links.name_hint}
        placeholder={t.share_links.name_placeholder}
        error={errors.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <EndField value={end} error={errors.end} within={within} onChange={setEnd} />
      {device.keep_track ? (
        <Checkbox label={t.share_links.with_track} checked={showsTrack} onChange={setShowsTrack} />
      ) : (
        <p className="quiet">{t.share_links.no_track}</p>
      )}
      <FormError error={create.error} />
    </FormDialog>
  );
}
