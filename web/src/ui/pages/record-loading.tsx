import type { ComponentProps, ReactNode } from 'react';
import { LoadFailed, type FailedQuery } from './load-failed.tsx';
import { PageHead } from './page-head.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface RecordLoadingProps {
  query: FailedQuery & { isPending: boolean };
  head: Pick<ComponentProps<typeof PageHead>, 'back' | 'className'>;
  texts: { loading: string; failed: string };
  /** How the page looks while it loads. */
  rows: Omit<ComponentProps<typeof SkeletonRows>, 'label'>;
  /** Shown if the record does not exist any more. */
  gone: ReactNode;
}

/** The page of a record without the record: it loads, is gone, or could not be loaded. */
export function RecordLoading({ query, head, texts, rows, gone }: RecordLoadingProps) {
  return (
    <>
      <PageHead {...head}>{query.isPending && <h1 className="visually-hidden">{texts.loading}</h1>}</PageHead>
      {query.isPending ? (
        <SkeletonRows {...rows} label={texts.loading} />
      ) : (
        gone || <LoadFailed level={1} title={texts.failed} query={query} />
      )}
    </>
  );
}
