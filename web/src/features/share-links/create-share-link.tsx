import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { NewShareLink } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { serverNow } from '../../data/server-clock.ts';
import { nameError } from '../../data/text-errors.ts';
import { t } from '../../text/text.ts';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { LineField } from '../../ui/fields/field.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { FormError } from '../../ui/fields/form-error.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { useFormValues } from '../../ui/fields/use-form-values.ts';
import { endOf, isPossible, linkLimits, type ChosenEnd } from '../../shared/ends/end-choices.ts';
import { EndField } from '../../shared/ends/end-field.tsx';
import { flowQuery } from '../../shared/flow.tsx';
import { useCreateShareLink, type LinkedDevice, type LinkTarget } from './share-links.api.ts';

const initial = { name: '', end: { choice: 'hour', date: '' } as ChosenEnd, shows_track: false };

interface CreateShareLinkProps {
  of: LinkTarget;
  /** Undefined: it shows a swarm. */
  device: LinkedDevice | undefined;
  onClose(): void;
  onCreated(link: NewShareLink): void;
  NewLink: ComponentType<{ link: NewShareLink; onClose(): void }>;
}

/** The dialog that makes a link that shows an own device, or members of an own swarm. */
export function CreateShareLink({ of, device, onClose, onCreated, NewLink }: CreateShareLinkProps) {
  const create = useCreateShareLink(of);
  const { values, errors, change, submit } = useFormValues({
    initial,
    check({ name, end }) {
      const now = serverNow();
      return {
        name: nameError(name.trim(), limits.nameLength),
        end: isPossible(endOf(end, now), now, linkLimits) ? undefined : t.share_links.end_wrong,
      };
    },
  });
  const send = ({ name, end, shows_track }: typeof initial) => {
    const expires_at = new Date(endOf(end, serverNow())).toISOString();
    // A link of a swarm shows no tracks.
    const body = { name: name.trim(), expires_at, ...(device && { shows_track }) };
    create.mutate(body, { onSuccess: onCreated });
  };
  return (
    <FormDialog
      title={device ? t.share_links.create_title : t.share_links.swarm.create_title}
      description={
        device ? (
          <Rich text={t.share_links.create_text} device={<Bdi>{device.name}</Bdi>} />
        ) : (
          t.share_links.swarm.create_text
        )
      }
      submit={t.share_links.create}
      busy={create.isPending}
      closingNote={t.share_links.is_sent}
      outcome={(data) => {
        const link = data as NewShareLink;
        return {
          title: <Rich text={t.share_links.created_title} name={<Bdi>{link.name}</Bdi>} />,
          renderShown: (close) => <NewLink link={link} onClose={close} />,
        };
      }}
      errors={errors}
      onSubmit={() => submit(send)}
      onClose={onClose}
    >
      <LineField
        label={t.share_links.name}
        hint={t.share_links.name_hint}
        placeholder={device ? t.share_links.name_placeholder : t.share_links.swarm.name_placeholder}
        error={errors.name}
        value={values.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <EndField value={values.end} error={errors.end} within={linkLimits} onChange={(end) => change({ end })} />
      {!device && 'swarm_id' in of && <ShownNow swarm_id={of.swarm_id} />}
      {device?.keep_track && (
        <Checkbox
          label={t.share_links.with_track}
          checked={values.shows_track}
          onChange={(shows_track) => change({ shows_track })}
        />
      )}
      {device && !device.keep_track && <p className="quiet">{t.share_links.no_track}</p>}
      <FormError error={create.error} />
    </FormDialog>
  );
}

/** How many devices a link of the swarm shows now. */
function ShownNow({ swarm_id }: { swarm_id: string }) {
  const { data } = useQuery(flowQuery(swarm_id, {}));
  return <p>{data?.shown !== undefined && t.share_links.swarm.shows_now(data.shown)}</p>;
}
