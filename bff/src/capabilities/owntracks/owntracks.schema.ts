import { z } from '@hono/zod-openapi';
import { sentNumber } from '../../core/limits/field-rules.ts';
import { position } from '../../core/contract/resources.schema.ts';

const { latitude, longitude } = position.shape;

/**
 * Extension: what the app OwnTracks sends. It has more fields, which differ by its version. Of those that are read, a wrong one
 * counts as absent, except the coordinates of a location.
 */
export const ownTracksReport = z
  .looseObject({ _type: z.string().openapi({ example: 'location' }), lat: z.unknown(), lon: z.unknown() })
  .partial({ lat: true, lon: true })
  .check(({ value, issues }) => {
    if (value._type !== 'location') return;
    for (const [field, schema] of [
      ['lat', latitude],
      ['lon', longitude],
    ] as const)
      for (const issue of schema.safeParse(sentNumber(value[field])).error?.issues ?? [])
        issues.push({ code: 'custom', message: issue.message, path: [field], input: value[field] });
  })
  .openapi('OwnTracksReport');

const friend = { topic: z.string(), tid: z.string() };
/** Extension: the positions and names of other devices, for the map of the app. */
export const ownTracksFriends = z.array(
  z.union([
    z.strictObject({
      _type: z.literal('location'),
      ...friend,
      lat: latitude,
      lon: longitude,
      tst: z.int().openapi({ description: 'When the position was true, in seconds' }),
      acc: z.number().optional(),
    }),
    z.strictObject({ _type: z.literal('card'), ...friend, name: z.string() }),
  ]),
);

export type OwnTracksFriends = z.infer<typeof ownTracksFriends>;
