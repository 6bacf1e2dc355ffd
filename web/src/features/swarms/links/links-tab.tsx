import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { JoinLink, SwarmItem } from '@swarmdeck/bff/contract';
import { UntilDate } from '../../../shared/ends/until-date.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Empty } from '../../../ui/pages/empty.tsx';
import { ActionError } from '../../../ui/fields/form-error.tsx';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { Time, useNow } from '../../../ui/texts/time.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import { CreateLink } from './create-link.tsx';
import { LinkShown } from './link-shown.tsx';
import { linksQuery, useEndLink } from './links.api.ts';
import './links.css';

/** The links by which others join an own swarm. */
export function LinksTab({ swarm }: { swarm: SwarmItem }) {
  const query = useQuery(linksQuery(swarm.id));
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<JoinLink | null>(null);
  const [ending, setEnding] = useState<JoinLink | null>(null);
  const links = query.data?.toReversed();
  const create = (
    <Button look={links?.length === 0 ? 'primary' : 'plain'} icon="plus" onClick={() => setCreating(true)}>
      {t.links.create}
    </Button>
  );
  return (
    <div className="page-scroll">
      <div className="swarm-body">
        <Box
          title={t.links.title}
          count={links && formatNumber(links.length)}
          action={links && links.length > 0 && create}
        >
          {query.isPending && <SkeletonRows count={3} badge={false} label={t.swarms.loading} />}
          {query.isError && !links && <LoadFailed level={3} title={t.links.error_title} query={query} />}
          {links?.length === 0 && (
            <Empty level={3} icon="qr" title={t.links.empty_title} text={t.links.empty_text}>
              {create}
            </Empty>
          )}
          {links && links.length > 0 && (
            <>
              <p className="quiet box-text">{t.links.text}</p>
              <ul aria-label={t.links.title}>
                {links.map((link) => (
                  <LinkRow key={link.id} link={link} onShow={() => setShown(link)} onEnd={() => setEnding(link)} />
                ))}
              </ul>
            </>
          )}
        </Box>
      </div>
      {isCreating && (
        <CreateLink
          swarm_id={swarm.id}
          onClose={() => setCreating(false)}
          onCreated={(link) => {
            setCreating(false);
            setShown(link);
          }}
        />
      )}
      {shown && <LinkShown swarm={swarm} link={shown} onClose={() => setShown(null)} />}
      {ending && <EndLink link={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

function LinkRow({ link, onShow, onEnd }: { link: JoinLink; onShow(): void; onEnd(): void }) {
  const now = useNow();
  const { id, swarm_id, name, resource_type, joined, max_resources, url } = link;
  const isOpen = link.ended_at === undefined;
  const count =
    max_resources === undefined
      ? t.links.joined(joined)
      : t.links.joined_of(formatNumber(joined), formatNumber(max_resources));
  return (
    <li className="box-row wraps link-row">
      <div className="box-row-words">
        <h3 className="box-row-title">
          <TruncateMiddle text={name} />
        </h3>
        <p className="line wraps link-facts quiet numbers">
          <RoleChip role={resource_type} label={t.shell.roles[resource_type]} />
          {joined === 0 ? count : <Link to={`/swarms/${swarm_id}?tab=invitations&link=${id}`}>{count}</Link>}
          <State link={link} now={now} />
        </p>
      </div>
      {isOpen && (
        <div className="line wraps link-actions">
          {isUsable(link, now) && (
            <>
              <CopyButton size="small" text={url} label={t.links.copy} onError={onShow} />
              <Button size="small" icon="qr" aria-label={t.links.show_of(name)} onClick={onShow}>
                {t.links.show}
              </Button>
            </>
          )}
          <Button size="small" look="quiet" aria-label={t.links.end_of(name)} onClick={onEnd}>
            {t.links.end}
          </Button>
        </div>
      )}
    </li>
  );
}

const isUsedUp = ({ max_resources = Infinity, joined }: JoinLink) => joined >= max_resources;
const hasExpired = ({ expires_at }: JoinLink, now: number) => expires_at !== undefined && Date.parse(expires_at) <= now;
const isUsable = (link: JoinLink, now: number) => !isUsedUp(link) && !hasExpired(link, now);

function State({ link, now }: { link: JoinLink; now: number }): ReactNode {
  const { ended_at, expires_at } = link;
  const dated = (text: string, at: string) => <Rich text={text} date={<Time at={at} form="date" />} />;
  if (ended_at !== undefined) return <span>{dated(t.links.ended, ended_at)}</span>;
  if (isUsedUp(link)) return <span className="warn">{t.links.used_up}</span>;
  if (expires_at === undefined) return null;
  if (hasExpired(link, now)) return <span className="warn">{dated(t.links.expired, expires_at)}</span>;
  return (
    <span>
      <UntilDate at={expires_at} />
    </span>
  );
}

function EndLink({ link, onClose }: { link: JoinLink; onClose(): void }) {
  const end = useEndLink(link);
  return (
    <ConfirmDialog
      title={<Rich text={t.links.end_title} name={<Bdi>{link.name}</Bdi>} />}
      description={t.links.end_text}
      confirm={t.links.end}
      busy={end.isPending}
      onConfirm={() => end.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ActionError error={end.error} />
    </ConfirmDialog>
  );
}
