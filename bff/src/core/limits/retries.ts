/** The changes that one request can lose against: so many that no race is lost so often. */
const mostRetries = 1000;

/**
 * Bounds a loop that reads a record, checks it and writes, and begins again if the record has changed in between:
 * `for (const retry = countRetries(); ; retry()) { … }`. A loop whose check passes while its write always fails is a fault of this server:
 * it ends with an error, instead of writing for ever.
 */
export function countRetries(): () => void {
  let retries = 0;
  return () => {
    retries += 1;
    if (retries > mostRetries) throw new Error(`The write has failed ${retries} times, although its check has passed`);
  };
}
