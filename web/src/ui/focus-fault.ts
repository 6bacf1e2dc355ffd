/** After a refused submit: the focus goes to the first field that is wrong, once it says so. */
export function focusFirstFault(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
