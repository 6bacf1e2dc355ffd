import { convertCsv, localCsvForm } from '../fields/local-csv.ts';

const csvType = 'text/csv;charset=utf-8';

interface SaveFileOptions {
  name: string;
  parts: readonly string[];
  type?: string;
  /** CSV that has the form of the user's file already. */
  isAsRead?: boolean;
}

/** Saves a text as a file, by a download. CSV gets the form of a spreadsheet in the user's language. */
export function saveFile({ name, parts, type = csvType, isAsRead = false }: SaveFileOptions): void {
  const form = type.startsWith('text/csv') && !isAsRead ? localCsvForm() : undefined;
  const url = URL.createObjectURL(new Blob(form ? [convertCsv(parts.join(''), form)] : [...parts], { type }));
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
