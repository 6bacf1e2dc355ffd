import { Button } from './button.tsx';
import { LoadFailedNote } from './load-failed.tsx';

interface MoreButtonProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; error: unknown; fetchNextPage(): unknown };
  label: string;
}

/** Loads the next page of a list, until there is none. */
export function MoreButton({ query, label }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  const { error, isFetchingNextPage: isFetching, fetchNextPage: refetch } = query;
  if (error) return <LoadFailedNote query={{ error, isFetching, refetch }} />;
  return (
    <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {label}
    </Button>
  );
}
