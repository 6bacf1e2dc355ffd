import { encode } from 'uqr';
import { qrPath } from './qr-path.ts';

/** A QR code as one path: nothing is fetched and nothing is told to anybody. */
export function QrCode({ text, label }: { text: string; label: string }) {
  // a medium correction level still reads when a tenth of it is scratched
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
