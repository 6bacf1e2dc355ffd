/** Has the browser save a text as a file. */
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
  // a download begins in its own time
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
