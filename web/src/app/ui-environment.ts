import { formatAge, formatDate, formatDateTime, formatRelative, t } from '../text/text.ts';
import type { UiEnvironment } from '../ui/environment.tsx';

export function uiEnvironment(): UiEnvironment {
  return {
    words: t.shell.kit,
    time: { age: formatAge, relative: formatRelative, date: formatDate, date_time: formatDateTime },
  };
}
