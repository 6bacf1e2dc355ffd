import { z } from '@hono/zod-openapi';
import { codePoints, limits, notInLabel, visible } from '../limits/field-rules.ts';

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .openapi({ format: 'date-time', example: '2026-01-02T03:04:05.678Z' });

/** A time in a request, as RFC 3339 has it: in UTC with milliseconds afterwards, and not before 1970. */
export const reportedTime = z
  .string()
  // RFC 3339 allows a t and a z.
  .toUpperCase()
  .check(z.iso.datetime({ offset: true, error: 'must be a time with its zone, such as 2026-01-02T03:04:05Z' }))
  .overwrite((text) => new Date(Math.max(0, Date.parse(text) || 0)).toISOString())
  .openapi({ format: 'date-time', example: '2026-01-02T03:04:05.678Z' });

/** When something ends, in a request. */
export const expires = reportedTime.openapi({ format: 'date-time', example: '2100-01-02T03:04:05.678Z' });

/** Extension: in a consent. */
export const shownByLinks = z.boolean().openapi({
  description:
    'Whether links of the swarm show the name and the position of the resource to people without an account. Only the owner of the ' +
    'resource sets it, and it is false at first. It stays when the swarm has another owner. Without it, a member that gains the other role stays as it is',
  'x-extension': true,
});

/** When a consent ends. In a request, in the future. */
export const consentEnd = expires.openapi({
  format: 'date-time',
  example: '2100-01-02T03:04:05.678Z',
  'x-extension': true,
});

export const id = z.string().openapi({ format: 'uuid', example: '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10' });
/** Of a request whose secret is shown once: a client sends it again with each try, so that what a lost answer had created does not stay. */
export const attempt = z.uuid();
export const url = z.string().openapi({ format: 'uri' });
export const userName = z.string().openapi({ example: 'harbour-ops' });

export const name = z
  .string()
  .check((context) => {
    const issue = (message: string) => context.issues.push({ code: 'custom', message, input: context.value });
    if (codePoints(context.value) > limits.nameLength) issue(`must have at most ${limits.nameLength} characters`);
    if (!visible.test(context.value)) issue('must have at least one visible character');
  })
  .openapi({ minLength: 1, maxLength: limits.nameLength, example: 'Greenhouse sensor 3' });

/** Extension: the number of members of a swarm, for those who do not see them. */
export const memberCount = z.int().openapi({
  description: 'A membership with an end counts for about a second longer, until it is deleted',
});

/** A name on one line, which a user has copied with the code of a resource. */
export const label = name
  .refine(
    (text) => !notInLabel.test(text),
    'must not have control characters or characters for the direction of writing',
  )
  .openapi({ maxLength: limits.nameLength });

export const description = z
  .string()
  .refine(
    (text) => codePoints(text) <= limits.descriptionLength,
    `must have at most ${limits.descriptionLength} characters`,
  )
  .openapi({ maxLength: limits.descriptionLength });

/** A text that is compared with stored ones, such as an id or a password. */
export const text = z.string().max(limits.textLength, `must have at most ${limits.textLength} characters`);
/** An id in a request. */
export const sentId = text.openapi({ format: 'uuid' });

const unchanged = text.optional().openapi({ description: 'Read-only: accepted if it equals the stored value' });
/** Read-only fields of a PUT: accepted if they equal the stored ones, so that clients can put back what they have read. */
export const readOnly = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((each) => [each, unchanged])) as Record<Name, typeof unchanged>;
