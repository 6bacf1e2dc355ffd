interface SaveFileOptions {
  name: string;
  parts: readonly string[];
  type?: string;
}

/** Saves a text as a file, by a download. */
export function saveFile({ name, parts, type = 'text/csv;charset=utf-8' }: SaveFileOptions): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  downloadFile({ name, path: url });
  // The download starts asynchronously.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The browser writes the response to a file while it arrives. */
export function downloadFile({ name, path }: { name: string; path: string }): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = name;
  link.click();
}
