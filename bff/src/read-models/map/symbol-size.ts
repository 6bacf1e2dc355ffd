/**
 * The size of the map's symbols in px. Server and client use the same sizes, because the server keeps symbols apart.
 * Imports nothing.
 */
export const singleRadius = 14;
export const largestCluster = 30;

/** Grows with the logarithm of the count. */
export function clusterRadius(count: number): number {
  return Math.min(largestCluster, singleRadius + 1.7 * Math.log2(count));
}
