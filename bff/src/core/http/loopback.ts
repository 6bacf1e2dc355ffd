/** Whether a host, as `URL` writes it, is this machine. */
export const isLoopback = (hostname: string): boolean => hostname === 'localhost' || /^127\.|^\[::1\]$/.test(hostname);
