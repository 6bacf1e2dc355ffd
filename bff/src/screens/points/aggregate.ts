/** Aggregates of several placed devices. The sums of columns and rows are integers, and exact. */
export interface Aggregate {
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

export function emptyAggregate(): Aggregate {
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
export function addAggregate(aggregate: Aggregate, more: Aggregate): void {
  aggregate.count += more.count;
  aggregate.columns += more.columns;
  aggregate.rows += more.rows;
  if (more.west < aggregate.west) aggregate.west = more.west;
  if (more.south < aggregate.south) aggregate.south = more.south;
  if (more.east > aggregate.east) aggregate.east = more.east;
  if (more.north > aggregate.north) aggregate.north = more.north;
  if (more.newest > aggregate.newest) aggregate.newest = more.newest;
  aggregate.ref = more.ref;
}
