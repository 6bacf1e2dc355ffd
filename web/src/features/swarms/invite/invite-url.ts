import type { MemberRole } from '@swarmdeck/bff/contract';
import { memberRoles } from '@swarmdeck/bff/first-rules';
import { labelOf } from '../../../data/invite-link.ts';
import type { UrlCodec } from '../../../ui/urls/url-state.ts';
import { codeLine } from './invite-codes.ts';

interface InviteUrl {
  swarm: string | null;
  /** Null if the URL names none. */
  role: MemberRole | null;
  code: string;
  csv: boolean;
}

/** A link to the page fills in the form. Only swarm and role are changed later. */
export const inviteUrl: UrlCodec<InviteUrl> = {
  read(params) {
    const [to, resource] = [params.get('to'), params.get('resource')];
    const label = labelOf(params.get('label') ?? '');
    const role = params.get('role');
    return {
      swarm: params.get('swarm'),
      role: memberRoles.find((known) => known === role) ?? null,
      /** A line for the list. */
      code: to && resource ? codeLine({ to, resource_id: resource }, { label }) : '',
      /** Whether many codes are expected, from a file. */
      csv: params.get('csv') === '1',
    };
  },
  write: ({ swarm, role }) => ({ swarm: swarm ?? undefined, role: role ?? undefined }),
};
