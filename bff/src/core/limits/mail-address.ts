/** As browsers check it (WHATWG HTML): it has nothing that would end a header or a command of SMTP. */
const addressFormat =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
/** RFC 5321, 4.5.3.1.3 */
export const longestMailAddress = 254;

export const isMailAddress = (text: string): boolean => text.length <= longestMailAddress && addressFormat.test(text);
