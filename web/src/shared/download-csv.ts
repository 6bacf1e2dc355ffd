import { loadBytes } from '../data/client.ts';
import { localCsvForm } from '../ui/fields/local-csv.ts';
import { downloadFile, saveFile } from '../ui/browser/save-file.ts';

/** Saves CSV of the server in the form of a spreadsheet in the user's language. */
export async function downloadCsv(file: { name: string; path: string }): Promise<void> {
  const bytes = localCsvForm() && (await loadBytes(file.path).catch(() => undefined));
  // The browser writes the response to a file while it arrives, or says why it cannot be loaded.
  if (!bytes) return downloadFile(file);
  saveFile({ name: file.name, parts: [new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)] });
}
