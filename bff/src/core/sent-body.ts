/** The body of a request, which a use case checks after the rights of its caller. */
import { Problem, type FieldFault } from './problem.ts';

export const faultsAtMost = 100;

/** A body that has arrived. Errors of the record that it is about have priority over its own. */
export interface SentBody<T> {
  text: string;
  /** The JSON of a field as it was sent, without white space outside of strings. */
  textOf: (field: string) => string;
  /** The fields of a JSON object, as they were sent. */
  fields: Readonly<Record<string, unknown>>;
  isValid: boolean;
  /**
   * Returns the body. `more`: what else is wrong with it; faults of the schema for the same field have priority.
   * @throws `body.not_json` (415), `body.too_large` (413), `body.unreadable` and `body.invalid` (400), the last with all
   * faults
   */
  check(more?: readonly FieldFault[]): T;
}

/** A body that is known to be valid. */
export function validBody<T extends object>(body: T): SentBody<T> {
  return {
    text: JSON.stringify(body),
    textOf: (field) => JSON.stringify((body as Record<string, unknown>)[field]),
    fields: body as Record<string, unknown>,
    isValid: true,
    check: checkOf([], body),
  };
}

export const checkOf =
  <T>(faults: readonly FieldFault[], body: T): SentBody<T>['check'] =>
  (more = []) => {
    if (faults.length + more.length === 0) return body;
    const known = new Set(faults.map(({ pointer }) => pointer));
    throw invalid([...faults, ...more.filter(({ pointer }) => !known.has(pointer))]);
  };

/** Lists the first errors. One more than are listed was collected, if there are more. */
function invalid(faults: FieldFault[]): Problem {
  if (faults.length <= faultsAtMost) return new Problem('body.invalid', { errors: faults });
  const detail = `Invalid request body. Only the first ${faultsAtMost} errors are listed`;
  return new Problem('body.invalid', { detail, errors: faults.slice(0, faultsAtMost) });
}
