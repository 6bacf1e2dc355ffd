import { useQuery } from '@tanstack/react-query';
import { useState, type ComponentType } from 'react';
import type { NewShareLink, ShareLink } from '@swarmdeck/bff/contract';
import { serverNow } from '../../data/server-clock.ts';
import { SectionState } from '../../shared/section-state.tsx';
import { EndTime, UntilDate } from '../../shared/ends/until-date.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { ActionError, FormError } from '../../ui/fields/form-error.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { Time } from '../../ui/texts/time.tsx';
import { TruncateMiddle } from '../../ui/texts/truncate-middle.tsx';
import { CreateShareLink } from './create-share-link.tsx';
import { chosenEnd, firstEnd, linkLimits } from '../../shared/ends/end-choices.ts';
import { EndField } from '../../shared/ends/end-field.tsx';
import {
  shareLinksQuery,
  useEndShareLink,
  useSetLinkEnd,
  type LinkedDevice,
  type LinkTarget,
} from './share-links.api.ts';
import { shareLinksBoxId } from './share-links-line.tsx';
import './share-links.css';

interface ShareLinksBoxProps {
  of: LinkTarget;
  /** Undefined: they show a swarm. */
  device?: LinkedDevice;
  /** Shows a new link with its code, which nobody sees again. */
  NewLink: ComponentType<{ link: NewShareLink; onClose(): void }>;
}

/** The links that show an own device, or members of an own swarm, to people without an account. */
export function ShareLinksBox({ of, device, NewLink }: ShareLinksBoxProps) {
  const query = useQuery(shareLinksQuery(of));
  const { title, none } = device ? t.share_links : t.share_links.swarm;
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewShareLink | null>(null);
  const [changing, setChanging] = useState<ShareLink | null>(null);
  const [ending, setEnding] = useState<ShareLink | null>(null);
  return (
    <Box
      id={shareLinksBoxId}
      title={title}
      count={query.data && formatNumber(query.data.length)}
      action={
        <Button size="small" icon="plus" onClick={() => setCreating(true)}>
          {t.share_links.create}
        </Button>
      }
    >
      <SectionState query={query}>
        {(links) =>
          links.length === 0 ? (
            <p className="box-row quiet">{none}</p>
          ) : (
            <ul aria-label={title}>
              {links.map((link) => (
                <LinkRow key={link.id} link={link} onChange={() => setChanging(link)} onEnd={() => setEnding(link)} />
              ))}
            </ul>
          )
        }
      </SectionState>
      {isCreating && (
        <CreateShareLink
          of={of}
          device={device}
          NewLink={NewLink}
          onClose={() => setCreating(false)}
          onCreated={(link) => {
            setCreating(false);
            setCreated(link);
          }}
        />
      )}
      {created && <NewLink link={created} onClose={() => setCreated(null)} />}
      {changing && <ChangeLinkEnd of={of} link={changing} onClose={() => setChanging(null)} />}
      {ending && <EndLink of={of} link={ending} onClose={() => setEnding(null)} />}
    </Box>
  );
}

/** When the link was created, and whether somebody has opened it: what tells two of the same name apart. */
function LinkUse({ link: { created_at, opened_at, viewers } }: { link: ShareLink }) {
  const texts = t.share_links;
  return (
    <>
      <span>
        <Rich text={texts.created} date={<Time at={created_at} form="date_time" />} />
      </span>
      <span>
        {/* The process that answers knows only its own. */}
        {viewers > 0 ? (
          texts.viewers(viewers)
        ) : opened_at === undefined ? (
          texts.not_opened
        ) : (
          <Rich text={texts.opened} age={<Time at={opened_at} />} />
        )}
      </span>
    </>
  );
}

function LinkRow({ link, onChange, onEnd }: { link: ShareLink; onChange(): void; onEnd(): void }) {
  const { name, shows_track, expires_at, resources } = link;
  const texts = t.share_links;
  return (
    <li className="box-row wraps share-link-row">
      <div className="box-row-words">
        <h3 className="box-row-title">
          <TruncateMiddle text={name} />
        </h3>
        <p className="line wraps share-link-facts quiet numbers">
          <span>
            {resources !== undefined
              ? texts.swarm.shows(resources)
              : shows_track
                ? texts.shows_track
                : texts.shows_position}
          </span>
          <span>
            <UntilDate at={expires_at} />
          </span>
          <LinkUse link={link} />
        </p>
      </div>
      <div className="line wraps">
        <Button size="small" aria-label={t.ends.change_of(name)} onClick={onChange}>
          {t.ends.change}
        </Button>
        <Button size="small" aria-label={texts.end_of(name)} onClick={onEnd}>
          {texts.end}
        </Button>
      </div>
    </li>
  );
}

interface OpenLinkProps {
  of: LinkTarget;
  link: ShareLink;
  onClose(): void;
}

/** Earlier or later. */
function ChangeLinkEnd({ of, link, onClose }: OpenLinkProps) {
  const change = useSetLinkEnd(of, link);
  const [end, setEnd] = useState(() => firstEnd(serverNow(), linkLimits));
  const [errors, setErrors] = useState<{ end?: string }>({});
  const submit = () => {
    const endsAt = chosenEnd(end, serverNow(), linkLimits);
    // The field offers only choices with an end.
    if (!endsAt) return setErrors({ end: t.share_links.end_wrong });
    setErrors({});
    change.mutate(endsAt, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={<Rich text={t.share_links.change_title} name={<Bdi>{link.name}</Bdi>} />}
      description={<Rich text={t.ends.now} date={<EndTime at={link.expires_at} />} />}
      submit={t.ends.save}
      busy={change.isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <EndField value={end} error={errors.end} within={linkLimits} onChange={setEnd} />
      <FormError error={change.error} />
    </FormDialog>
  );
}

function EndLink({ of, link, onClose }: OpenLinkProps) {
  const end = useEndShareLink(of, link);
  return (
    <ConfirmDialog
      title={<Rich text={t.share_links.end_title} name={<Bdi>{link.name}</Bdi>} />}
      description={t.share_links.end_text}
      confirm={t.share_links.end}
      busy={end.isPending}
      onConfirm={() => end.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="line wraps share-link-facts quiet numbers">
        <LinkUse link={link} />
      </p>
      <ActionError error={end.error} />
    </ConfirmDialog>
  );
}
