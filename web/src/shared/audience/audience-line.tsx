import { useQuery } from '@tanstack/react-query';
import type { SwarmAudience } from '@swarmdeck/bff/contract';
import { joinList } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { accountQuery } from '../account/account.api.ts';
import { newestAudienceQuery } from './audience.api.ts';
import './audience-line.css';

/** Names in the sentence. */
const shownNames = 2;

/** One sentence about who sees the user's own device. Nothing until it is known. */
export function AudienceLine({ resource_id, swarms }: { resource_id: string; swarms: number }) {
  const user_id = useQuery(accountQuery).data?.user_id;
  const { data, isError } = useQuery(newestAudienceQuery(resource_id));
  if (!data || user_id === undefined) return null;
  const say = t.audience.card;
  const { names, rest } = whoSees(data.items, user_id, swarms);
  // More users may see it since the last response.
  if (names.length + rest.length === 0) return isError ? null : <p className="quiet audience-line">{say.only_you}</p>;
  const places = [...names.map((_, index) => `{name${index}}`), ...rest];
  const bold = Object.fromEntries(names.map((name, index) => [`name${index}`, <Bdi key={name}>{name}</Bdi>]));
  return (
    <p className="quiet audience-line">
      <Rich text={say.seen.replace('{names}', joinList(places))} {...bold} />
    </p>
  );
}

/** @internal `rest`: those without names. */
export function whoSees(items: readonly SwarmAudience[], user_id: string, swarms: number) {
  const say = t.audience.card;
  const all = [...new Set(items.flatMap(({ named }) => named.map(({ user_id: name }) => name)))];
  const others = all.filter((name) => name !== user_id);
  const names = others.slice(0, shownNames);
  const more = others.length - names.length;
  const members = Math.max(0, ...items.map(({ users = 1 }) => users - 1));
  const rest = [
    ...(more > 0 ? [say.named(more)] : []),
    ...(members > 0 ? [swarms === 1 ? say.members(members) : say.members_of_many(swarms)] : []),
  ];
  return { names, rest };
}
