import { useState } from 'react';

type FormErrors<Values> = { [Field in keyof Values]?: string };

interface FormOptions<Values> {
  initial: Values;
  /** What is wrong with each field. */
  check(values: Values): { [Field in keyof Values]?: string | undefined };
}

/** The fields of a small form. Their errors are those of the last submit, until one of them is changed. */
export function useFormValues<Values extends object>({ initial, check }: FormOptions<Values>) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FormErrors<Values>>({});
  return {
    values,
    errors,
    change(next: Partial<Values>) {
      setValues((now) => ({ ...now, ...next }));
      if (Object.keys(errors).length > 0) setErrors({});
    },
    /** Calls `send` if nothing is wrong. */
    submit(send: (values: Values) => void) {
      const found = Object.entries(check(values)).filter(([, error]) => error !== undefined);
      setErrors(Object.fromEntries(found) as FormErrors<Values>);
      if (found.length === 0) send(values);
    },
  };
}
