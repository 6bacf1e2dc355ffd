import { encode } from 'uqr';
import './qr-code.css';
import { qrPath } from './qr-path.ts';

/** A QR code as an SVG path, computed locally. */
export function QrCode({ text, label }: { text: string; label: string }) {
  // Medium error correction: the code stays readable with up to 15% damage.
  const { size, data } = encode(text, { ecc: 'M', border: 0 });
  return (
    <>
      <span className="visually-hidden">{label}</span>
      <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        <path d={qrPath(data)} />
      </svg>
    </>
  );
}
