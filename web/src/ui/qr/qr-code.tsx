import { encode } from 'uqr';
import './qr-code.css';

/** A QR code as an SVG path, computed locally. `quiet`: with the empty border that scanners need, for printing. */
export function QrCode({ text, label, quiet = false }: { text: string; label: string; quiet?: boolean }) {
  // Medium error correction: the code stays readable with up to 15% damage.
  const { size, data } = encode(text, { ecc: 'M', border: quiet ? 4 : 0 });
  return (
    <>
      <span className="visually-hidden">{label}</span>
      <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        <path d={qrPath(data)} />
      </svg>
    </>
  );
}

/** The dark cells of a QR code as an SVG path, with a rectangle for each run of cells in a row. */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
    }
  }
  return path;
}
