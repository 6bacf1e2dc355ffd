import type { ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notice.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { errorSentence } from '../../api/problem.ts';

/** The state of a box without rows: skeleton rows, or the error with a Retry button. */
export function SectionState<Data>({
  query,
  children,
}: {
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch(): unknown };
  children(data: Data): ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <SkeletonRows count={2} badge={false} label={t.account.loading} />;
  return (
    <div className="box-row" role="alert">
      <Note tone="bad" icon="warning">
        {t.account.failed} {errorSentence(query.error)}
      </Note>
      <Button busy={query.isFetching} onClick={() => void query.refetch()}>
        {t.shell.kit.retry}
      </Button>
    </div>
  );
}
