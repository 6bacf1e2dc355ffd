/** What one process remembers of it (`memoryTable` in core/limits/part-limits.ts). */
export const messagesMemory = {
  senders: { what: 'devices whose swarms are known when they send', most: 10_000 },
  trims: { what: 'swarms, and as many users, whose messages are counted until the oldest go', most: 10_000 },
  unreadable_messages: { what: 'messages that cannot be read, of each of which the log has one line', most: 1000 },
} as const;
