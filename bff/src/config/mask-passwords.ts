/**
 * Replaces passwords in addresses (`postgres://user:password@host`, `?password=`) by `***`. A password may hold any
 * character but white space and double quotes, also an unescaped `@` or `/`.
 */
export function maskPasswords(text: string): string {
  return text
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*:)[^\s"]*@/gi, '$1***@')
    .replaceAll(/([?&](?:ssl)?password=)[^\s&"]*/gi, '$1***');
}
