import { getPriority } from 'node:os';
import { threadId } from 'node:worker_threads';
import { defineShape } from './shape.ts';

export const inThread = defineShape(
  new URL(import.meta.url),
  'inThread',
  (rows: readonly { text: string }[], { sign }: { sign: string }) =>
    rows.map(({ text }) => ({ threadId, priority: getPriority(), bytes: new TextEncoder().encode(text + sign) })),
);
