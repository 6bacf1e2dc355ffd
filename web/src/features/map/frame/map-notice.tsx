/** A word from the map itself, at the top of its free part, with the one way on. */
export function MapNotice({
  text,
  action,
  onAct,
}: {
  text: string;
  action?: string | undefined;
  onAct?: (() => void) | undefined;
}) {
  return (
    <output className="map-notice">
      {text}
      {action && (
        <button type="button" className="map-notice-action" onClick={onAct}>
          {action}
        </button>
      )}
    </output>
  );
}
