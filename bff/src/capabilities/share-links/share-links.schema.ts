import { z } from '@hono/zod-openapi';
import { shareLinkLimits } from './limits.ts';
import { attempt, expires, id, name, timestamp, url } from '../../core/contract/fields.schema.ts';
import type { MachineType, Position } from '../../core/contract/resources.schema.ts';
import type { TrackPoint } from '../tracks/tracks.schema.ts';

const until = expires.openapi({ description: `In the future, and at most ${shareLinkLimits.days} days from now` });

const fields = {
  id,
  resource_id: id.optional().openapi({ description: 'Of a link that shows a resource' }),
  swarm_id: id.optional().openapi({ description: 'Of a link that shows members of a swarm' }),
  resources: z.int().optional().openapi({ description: 'Of a swarm: how many members it shows now' }),
  name: name.openapi({ description: 'Only the owner of the link sees it' }),
  shows_track: z.boolean().openapi({
    description: 'Whether it also shows where the resource was since the link was created',
  }),
  expires_at: timestamp,
  created_at: timestamp,
  opened_at: timestamp.optional().openapi({ description: 'When somebody has opened it last, to the minute' }),
  viewers: z.int().openapi({ description: 'How many look at it now, as far as the process that answers knows' }),
};

/** Extension: a link that shows a resource, or members of a swarm, to people without an account, until its end. */
export const shareLink = z.strictObject(fields).openapi('ShareLink');

/** Its code is shown only once. */
export const newShareLink = z
  .strictObject({
    ...fields,
    url: url.openapi({ description: 'The page to share, with the code in its fragment. Only this response has it' }),
  })
  .openapi('NewShareLink');

export const shareLinkCreate = z
  .strictObject({
    name,
    shows_track: z.boolean().optional().openapi({
      description: 'Also where the resource was since the link was created, if its track is kept',
    }),
    expires_at: until,
    attempt: attempt.optional().openapi({
      description:
        'A UUID that the client makes, and sends again with each try. The link that an earlier try has created ends: its answer was lost, ' +
        'so nobody has its code',
    }),
  })
  .openapi('ShareLinkCreate');

/** A link of a swarm shows positions, and no track. */
export const swarmShareLinkCreate = shareLinkCreate.omit({ shows_track: true }).openapi('SwarmShareLinkCreate');

export const shareLinkUpdate = z.strictObject({ expires_at: until }).openapi('ShareLinkUpdate');

export type ShareLink = z.infer<typeof shareLink>;
export type NewShareLink = z.infer<typeof newShareLink>;
export type ShareLinkCreate = z.infer<typeof shareLinkCreate>;
export type ShareLinkUpdate = z.infer<typeof shareLinkUpdate>;

/** A device as a guest sees it: no id, no swarm, no description. */
export interface SharedDevice {
  /** Names the device while the page is open. Another one for each link. */
  key: number;
  name: string;
  machine_type: MachineType;
  position: Position | null;
  /** In metres, if it is known. */
  accuracy: number | null;
  /** When it was there, or since when it has no position; null if it never had one. */
  located_at: string | null;
}

/** The events of `GET /guest/events`, which has a link's code in the header `x-share-code`. */
export type GuestEvent =
  /**
   * The first one. `now`: the time of the server. `shows`: one device, or those of a swarm, of which more may follow as `changed`.
   * `track`: only if the link shows one.
   */
  | {
      type: 'opened';
      now: string;
      shared_by: string;
      expires_at: string;
      shows: 'device' | 'swarm';
      devices: SharedDevice[];
      track?: TrackPoint[];
    }
  /** `gone`: keys of devices that the link does not show any more. */
  | { type: 'changed'; devices: SharedDevice[]; gone?: number[] }
  | { type: 'end_changed'; expires_at: string }
  /** The last one. */
  | { type: 'ended' };
