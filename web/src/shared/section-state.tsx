import type { ReactNode } from 'react';
import { t } from '../text/text.ts';
import { LoadFailedNote } from '../ui/pages/load-failed.tsx';
import { SkeletonRows } from '../ui/pages/skeleton.tsx';

interface SectionStateProps<Data> {
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch(): unknown };
  children(data: Data): ReactNode;
}

/** The state of a box without rows: skeleton rows, or the error with a Retry button. */
export function SectionState<Data>({ query, children }: SectionStateProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <SkeletonRows count={2} badge={false} label={t.account.loading} />;
  return <LoadFailedNote className="box-row" title={t.account.failed} query={query} />;
}
