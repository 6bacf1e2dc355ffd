import { Note } from '../toasts/notice.tsx';

export interface Quota {
  used: number;
  /** Null for no limit. */
  allowed: number | null;
}

/** How many more may be added. */
export function roomIn({ used, allowed }: Quota): number {
  return allowed === null ? Number.POSITIVE_INFINITY : Math.max(0, allowed - used);
}

interface QuotaNoteProps {
  quota: Quota;
  adding: number;
  text: (amounts: { allowed: number; room: number; adding: number }) => string;
}

/** Warns before sending that `adding` exceeds a quota. */
export function QuotaNote({ quota, adding, text }: QuotaNoteProps) {
  const room = roomIn(quota);
  if (quota.allowed === null || adding <= room) return null;
  return (
    <Note tone="warn" icon="warning">
      {text({ allowed: quota.allowed, room, adding })}
    </Note>
  );
}
