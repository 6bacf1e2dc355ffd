/**
 * Replaces passwords in URLs (`postgres://user:password@host`, `?password=`) by `***`. A password may contain any
 * character except white space and double quotes, even an unescaped `@` or `/`.
 */
export function maskPasswords(text: string): string {
  return text
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*:)[^\s"]*@/gi, '$1***@')
    .replaceAll(/([?&](?:ssl)?password=)[^\s&"]*/gi, '$1***');
}
