import { z } from '@hono/zod-openapi';

/** RFC 9457. `code` is `noun.what_happened`; `pointer` is a JSON pointer into the request body. */
export const problem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    request_id: z.string(),
    errors: z.array(z.strictObject({ pointer: z.string(), code: z.string(), detail: z.string() })).optional(),
  })
  .openapi('Problem');

export type Problem = z.infer<typeof problem>;
