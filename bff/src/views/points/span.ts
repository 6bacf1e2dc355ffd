/** Aggregates of several placed devices. The sums of columns and rows are integers, and exact. */
export interface Span {
  count: number;
  columns: number;
  rows: number;
  west: number;
  south: number;
  east: number;
  north: number;
  /** In ms. */
  newest: number;
  /** The ref of any of them. */
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

/** `more` must not be empty. */
export function addSpan(span: Span, more: Span): void {
  span.count += more.count;
  span.columns += more.columns;
  span.rows += more.rows;
  if (more.west < span.west) span.west = more.west;
  if (more.south < span.south) span.south = more.south;
  if (more.east > span.east) span.east = more.east;
  if (more.north > span.north) span.north = more.north;
  if (more.newest > span.newest) span.newest = more.newest;
  span.ref = more.ref;
}
