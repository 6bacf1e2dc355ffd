/** What a link to join a swarm offers, for a visitor who has not signed in. */
import { queryOptions, type UseQueryResult } from '@tanstack/react-query';
import type { JoinPreview as Preview } from '@swarmdeck/bff/contract';
import { send } from '../../../data/client.ts';
import { isGone } from '../../../data/problem.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { ConsentLines } from '../../../shared/consent-lines.tsx';
import { t } from '../../../text/text.ts';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import './join-preview.css';

export const joinPreviewQuery = (code: string) =>
  queryOptions({
    queryKey: queryKeys.joinPreview(code),
    queryFn: async () =>
      (await send<Preview>({ method: 'POST', path: '/auth/join-link', body: { code }, changesNothing: true })).data,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: 'always',
  });

export function JoinPreview({ query: { data, error } }: { query: UseQueryResult<Preview> }) {
  if (isGone(error)) {
    return (
      <Note tone="warn" icon="warning">
        {t.links.join.gone_title}. {t.links.join.gone_text}
      </Note>
    );
  }
  // Without an answer, the visitor sees the offer after the sign-in.
  if (!data) return null;
  const { swarm, resource_type } = data;
  const { name, user_id, description, member_count } = swarm;
  return (
    <section className="stack gap-3 join-preview" aria-labelledby="join-preview">
      <p id="join-preview" className="join-preview-title">
        <Rich text={t.links.join.invited} swarm={<Bdi>{name}</Bdi>} />
      </p>
      <p className="line wraps quiet numbers">
        <Rich text={t.swarms.by} owner={<Bdi>{user_id}</Bdi>} /> · {t.swarms.member_count(member_count)}
        <RoleChip role={resource_type} label={t.shell.roles[resource_type]} />
      </p>
      {description !== '' && (
        <p className="join-preview-text">
          <Bdi>{description}</Bdi>
        </p>
      )}
      <Note tone="soft" icon="eye">
        <p>{t.links.join.role(t.roles_in_sentences[resource_type])}</p>
        <ConsentLines text={t.links.join.consent(member_count)} />
      </Note>
    </section>
  );
}
