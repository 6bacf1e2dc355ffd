/** How large the map draws its symbols, in px. The server keeps them apart by the same sizes. A leaf. */
export const singleRadius = 14;
export const largestCluster = 30;

/** Grows with the logarithm of the count. */
export function clusterRadius(count: number): number {
  return Math.min(largestCluster, singleRadius + 1.7 * Math.log2(count));
}
