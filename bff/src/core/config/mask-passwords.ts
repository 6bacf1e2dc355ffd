/**
 * Replaces passwords in URLs (`postgres://user:password@host`, `?password=`) by `***`. A password may contain any
 * character except white space and double quotes, even an unescaped `@` or `/`.
 */
export function maskPasswords(text: string): string {
  return text.replaceAll(/[^\s"]+/g, maskUserInfo).replaceAll(/([?&](?:ssl)?password=)[^\s&"]*/gi, '$1***');
}

/** Searches for the last `@` first, because one expression for both would take quadratic time. */
function maskUserInfo(word: string): string {
  const end = word.lastIndexOf('@');
  const user = /:\/\/[^:/]*:/.exec(word.slice(0, Math.max(end, 0)));
  return user ? `${word.slice(0, user.index + user[0].length)}***${word.slice(end)}` : word;
}
