/** Passwords that many people use, and which are tried first when somebody guesses. */
let loaded: Promise<ReadonlySet<string>> | undefined;

/** The list is loaded with the first password that is chosen, because most processes never need it. Case does not count. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load();
  return (await loaded).has(password.toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
