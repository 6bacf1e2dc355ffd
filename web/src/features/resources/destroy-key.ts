/** The key under which the destroying of a device waits to be sent (ui/waiting.ts). */
export const destroyKey = (id: string) => `destroy:${id}`;
