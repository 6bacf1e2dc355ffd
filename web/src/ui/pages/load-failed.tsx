import type { ReactNode } from 'react';
import { errorSentence, isUnreachable } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { Button, type ButtonProps } from '../buttons/button.tsx';
import { Empty } from './empty.tsx';
import { Note } from '../toasts/notice.tsx';

/** What could not be loaded. */
export interface FailedQuery {
  error: unknown;
  isFetching?: boolean;
  refetch(): unknown;
}

interface LoadFailedProps {
  query: FailedQuery;
  title: string;
  level?: 1 | 2 | 3;
  /** More buttons. */
  children?: ReactNode;
}

/** The error state of a page or list that could not be loaded, with a Retry button. */
export function LoadFailed({ query, title, level = 2, children }: LoadFailedProps) {
  return (
    <div role="alert">
      <Empty level={level} icon="cloud-off" title={title} text={errorSentence(query.error)}>
        <Retry query={query} />
        {children}
      </Empty>
    </div>
  );
}

interface LoadFailedNoteProps {
  query: FailedQuery;
  title?: string;
  className?: string;
}

/** Says in one line that a part of a page could not be loaded. */
export function LoadFailedNote({ query, title = '', className }: LoadFailedNoteProps) {
  // The notice of the whole page is the alert.
  const isAway = isUnreachable(query.error);
  return (
    <div className={className} role={isAway ? undefined : 'alert'}>
      <Note tone={isAway ? 'plain' : 'bad'} icon={isAway ? 'cloud-off' : 'warning'}>
        {title} {isAway ? t.shell.unreachable.part : errorSentence(query.error)} <Retry query={query} size="row" />
      </Note>
    </div>
  );
}

function Retry({ query, size }: { query: FailedQuery; size?: ButtonProps['size'] }) {
  return (
    <Button size={size} busy={query.isFetching} onClick={() => void query.refetch()}>
      {t.shell.kit.retry}
    </Button>
  );
}
