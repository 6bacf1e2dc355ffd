/** What is known of some placed devices together. Sums of columns and rows are whole numbers, and exact. */
export interface Span {
  count: number;
  columns: number;
  rows: number;
  west: number;
  south: number;
  east: number;
  north: number;
  /** Milliseconds. */
  newest: number;
  /** One of them. */
  ref: number;
}

export function emptySpan(): Span {
  return {
    count: 0,
    columns: 0,
    rows: 0,
    west: Infinity,
    south: Infinity,
    east: -Infinity,
    north: -Infinity,
    newest: -Infinity,
    ref: 0,
  };
}
