/** What one process remembers of it (`memoryTable` in core/limits/part-limits.ts). */
export const tilesMemory = {
  tile_failures: { what: 'users whose tiles could not be fetched', most: 10_000 },
} as const;
