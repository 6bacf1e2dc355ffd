/** What one process remembers of it (`memoryTable` in core/limits/part-limits.ts). */
export const presenceMemory = {
  refused_devices: { what: 'devices that were refused something', most: 10_000 },
} as const;
