/** Saves a text as a file, by a download. */
export function saveFile({
  name,
  parts,
  type = 'text/csv;charset=utf-8',
}: {
  name: string;
  parts: readonly string[];
  type?: string;
}): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download starts asynchronously.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
