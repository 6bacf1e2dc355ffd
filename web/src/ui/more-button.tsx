import { Button } from './button.tsx';

interface MoreButtonProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
  label: string;
}

/** Loads the next page of a list, until there is none. */
export function MoreButton({ query, label }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {label}
    </Button>
  );
}
